#include "frontend_lang/script/machine/traceback_object.h"

#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

class TracebackObject final : public lang::Extension {
 public:
  // `entry`: of the error's trace, whose outermost call is its last.
  TracebackObject(Heap& heap, Value error, std::size_t entry)
      : Extension(heap, lang::Type::kExtension), error_(std::move(error)), entry_(entry) {}

  std::string_view TypeName() const override { return "traceback"; }
  const ErrorObject* error() const { return Exactly<ErrorObject>(error_); }

  Outcome<Value> GetAttr(Host& host, std::string_view name) override {
    if (error() == nullptr || entry_ >= error()->trace.size()) return Value::Unset();
    if (name == "tb_lineno") {
      const TraceEntry& entry = error()->trace[entry_];
      return Value::Int(entry.source->Locate(entry.span.begin).line);
    }
    if (name == "tb_next") {
      if (entry_ == 0) return Value();
      return host.heap().New<TracebackObject>(error_, entry_ - 1);
    }
    return Value::Unset();
  }

 private:
  void Clear() override { error_ = Value(); }

  Value error_;
  std::size_t entry_;
};

}  // namespace

Value NewTraceback(ErrorObject& error) {
  return error.heap().New<TracebackObject>(Value(&error), error.trace.size() - 1);
}

const ErrorObject* ErrorOfTraceback(const Value& value) {
  const auto* traceback = Exactly<TracebackObject>(value);
  return traceback == nullptr ? nullptr : traceback->error();
}

}  // namespace espalier::script
