#include "frontend_lang/script/classes/protocol.h"

#include <algorithm>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// As in CPython, attributes of the class say so.
constexpr std::string_view kMark = "_is_protocol", kCheckable = "_is_runtime_protocol";

// What stands in a class without being a member of the protocol.
bool IsMember(std::string_view name) {
  constexpr std::string_view kOthers[] = {"__init__", "__new__",        "__slots__",
                                          "__doc__",  "__parameters__", "__post_init__"};
  return name != kMark && name != kCheckable &&
         std::ranges::find(kOthers, name) == std::end(kOthers);
}

std::vector<std::string> MembersOf(const ClassObject& cls) {
  std::vector<std::string> names;
  for (const ClassObject* at : cls.mro()) {
    if (!IsProtocol(*at)) continue;
    for (const auto& attribute : at->attributes()) {
      if (IsMember(attribute.name)) names.push_back(attribute.name);
    }
    const auto* annotations = at->annotations.If<lang::Dict>();
    for (std::size_t i = 0; annotations != nullptr; ++i) {
      const auto* entry = annotations->EntryAt(i);
      if (entry == nullptr) break;
      names.emplace_back(lang::TextOf(entry->key));
    }
  }
  return names;
}

}  // namespace

void MarkProtocol(ClassObject& cls) { cls.Put(kMark, Value::Bool(true)); }

bool IsProtocol(const ClassObject& cls) { return cls.FindOwn(kMark) != nullptr; }

Outcome<Value> RuntimeCheckable(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("runtime_checkable", args, 1, 1));
  auto* cls = args.positional[0].If<ClassObject>();
  if (cls == nullptr || !IsProtocol(*cls)) {
    return lang::TypeError("@runtime_checkable can be only applied to protocol classes, got " +
                           (cls == nullptr ? std::string(lang::TypeName(args.positional[0]))
                                           : "<class '__main__." + cls->qualified_name() + "'>"));
  }
  cls->Put(kCheckable, Value::Bool(true));
  return args.positional[0];
}

Outcome<bool> HasMembers(Host& host, const Value& value, const ClassObject& cls) {
  if (cls.FindOwn(kCheckable) == nullptr) {
    return lang::TypeError(
        "Instance and class checks can only be used with @runtime_checkable protocols");
  }
  for (const std::string& name : MembersOf(cls)) {
    ESP_TRY(host.Step());
    auto found = lang::GetAttr(host, value, name);
    if (!found.ok() && !IsA(found.error(), "AttributeError")) return found.TakeFault();
    if (!found.ok() || found->is_unset()) return false;
  }
  return true;
}

}  // namespace espalier::script
