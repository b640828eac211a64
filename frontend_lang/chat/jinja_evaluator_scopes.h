// What an evaluator changes for the length of a C++ block, and puts back.
#pragma once

#include <string>
#include <utility>

#include "frontend_lang/chat/jinja_evaluator.h"

namespace espalier::jinja {

class Evaluator::DepthScope {
 public:
  explicit DepthScope(Evaluator& evaluator) : evaluator_(evaluator) { ++evaluator_.depth_; }
  ~DepthScope() { --evaluator_.depth_; }
  DepthScope(const DepthScope&) = delete;
  DepthScope& operator=(const DepthScope&) = delete;

 private:
  Evaluator& evaluator_;
};

// Sends output to `target`.
class Evaluator::OutputScope {
 public:
  OutputScope(Evaluator& evaluator, std::string& target)
      : evaluator_(evaluator), outer_(std::exchange(evaluator.output_, &target)) {}
  ~OutputScope() { evaluator_.output_ = outer_; }
  OutputScope(const OutputScope&) = delete;
  OutputScope& operator=(const OutputScope&) = delete;

 private:
  Evaluator& evaluator_;
  std::string* outer_;
};

// Runs in a new scope below `parent`.
class Evaluator::NewScope {
 public:
  NewScope(Evaluator& evaluator, const Value& parent)
      : evaluator_(evaluator),
        outer_(std::exchange(evaluator.scope_, evaluator.heap().New<Scope>(parent))) {}
  ~NewScope() { evaluator_.scope_ = std::move(outer_); }
  NewScope(const NewScope&) = delete;
  NewScope& operator=(const NewScope&) = delete;

 private:
  Evaluator& evaluator_;
  Value outer_;
};

}  // namespace espalier::jinja
