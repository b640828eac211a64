// map, select, reject, selectattr, rejectattr: filters that take a filter or a test by
// name.
#include <string>
#include <vector>

#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_objects.h"
#include "frontend_lang/chat/jinja_tests.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::jinja {
namespace {

Outcome<Value> GiveItems(Host& host, std::vector<Value> items) {
  return lang::Iterate(host, host.heap().New<lang::List>(std::move(items)));
}

// jinja2 takes any false input as empty.
Outcome<Value> ItemsOrNone(Host& host, const Value& input) {
  ESP_TRY_ASSIGN(const bool truth, lang::Truth(host, input));
  return truth ? input : host.heap().New<lang::Tuple>();
}

Outcome<Value> MapAttribute(Host& host, const Value& input, const Args& args) {
  Value attribute, absent = Value::Unset();
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name == "attribute") {
      attribute = keyword.value;
    } else if (keyword.name == "default") {
      absent = keyword.value;
    } else {
      return lang::Raise("FilterArgumentError",
                         "Unexpected keyword argument '" + std::string(keyword.name) + "'");
    }
  }
  std::vector<Value> items;
  ESP_TRY_ASSIGN(const Value source, ItemsOrNone(host, input));
  ESP_TRY(lang::ForEach(host, source, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(Value value, LookUpPath(host, item, attribute));
    if (IsUndefined(value) && !absent.is_unset()) value = absent;
    items.push_back(std::move(value));
    return Fault();
  }));
  return GiveItems(host, std::move(items));
}

Outcome<Value> Map(Host& host, const Value& input, const Args& args) {
  if (args.positional.empty()) {
    if (args.keywords.empty()) {
      return lang::Raise("FilterArgumentError", "map requires a filter argument");
    }
    return MapAttribute(host, input, args);
  }
  const Value& name = args.positional[0];
  const Filter* filter = name.is_str() ? FindFilter(lang::TextOf(name)) : nullptr;
  if (filter == nullptr) {
    return lang::Raise(
        "TemplateRuntimeError",
        "No filter named " +
            (name.is_str() ? "'" + std::string(lang::TextOf(name)) + "'" : std::string("so")) +
            ".");
  }
  const Args rest{args.positional.subspan(1), args.keywords};
  std::vector<Value> items;
  ESP_TRY_ASSIGN(const Value source, ItemsOrNone(host, input));
  ESP_TRY(lang::ForEach(host, source, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(Value value, lang::CallMethod(host, filter->method, item, rest));
    items.push_back(std::move(value));
    return Fault();
  }));
  return GiveItems(host, std::move(items));
}

// What decides about an item: the test that args name, or its truth.
Outcome<bool> Passes(Host& host, const Value& value, const Args& args) {
  if (args.positional.empty()) return lang::Truth(host, value);
  const Value& name = args.positional[0];
  const Test* test = name.is_str() ? FindTest(lang::TextOf(name)) : nullptr;
  if (test == nullptr) {
    return lang::Raise(
        "TemplateRuntimeError",
        "there is no test " + (name.is_str() ? "'" + std::string(lang::TextOf(name)) + "'"
                                             : std::string("of that name")));
  }
  ESP_TRY_ASSIGN(const Value answer, lang::CallMethod(host, test->method, value,
                                                      {args.positional.subspan(1), args.keywords}));
  return lang::Truth(host, answer);
}

enum class Subject { kItem, kAttribute };

template <Subject subject, bool wanted>
Outcome<Value> SelectCode(Host& host, const Value& input, const Args& args) {
  Args test = args;
  if (subject == Subject::kAttribute) {
    if (args.positional.empty()) {
      return lang::Raise("FilterArgumentError", "Missing parameter for attribute name");
    }
    test.positional = args.positional.subspan(1);
  }
  std::vector<Value> items;
  ESP_TRY_ASSIGN(const Value source, ItemsOrNone(host, input));
  ESP_TRY(lang::ForEach(host, source, [&](const Value& item) -> Fault {
    Value value = item;
    if (subject == Subject::kAttribute) {
      ESP_TRY_ASSIGN(value, LookUpPath(host, item, args.positional[0]));
    }
    ESP_TRY_ASSIGN(const bool passes, Passes(host, value, test));
    if (passes == wanted) items.push_back(item);
    return Fault();
  }));
  return GiveItems(host, std::move(items));
}

constexpr Filter kSelectFilters[] = {
    {{.name = "map", .raw_code = Map}},
    {{.name = "reject", .raw_code = SelectCode<Subject::kItem, false>}},
    {{.name = "rejectattr", .raw_code = SelectCode<Subject::kAttribute, false>}},
    {{.name = "select", .raw_code = SelectCode<Subject::kItem, true>}},
    {{.name = "selectattr", .raw_code = SelectCode<Subject::kAttribute, true>}},
};

}  // namespace

std::span<const Filter> SelectFilters() { return kSelectFilters; }

}  // namespace espalier::jinja
