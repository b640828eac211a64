#include "frontend_lang/script/classes/shape.h"

#include <algorithm>

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

int Shape::Find(std::string_view name) const {
  for (const Shape* at = this; at->parent_ != nullptr; at = at->parent_) {
    if (at->name_ == name) return at->num_slots_ - 1;
  }
  return -1;
}

Shape* Shape::With(std::string_view name) {
  for (const auto& child : children_) {
    if (child->name_ == name) return child.get();
  }
  if (num_slots_ == kMaxSlots || !owner_.AddShape()) return nullptr;
  children_.push_back(std::unique_ptr<Shape>(new Shape(*this, name)));
  return children_.back().get();
}

std::vector<std::string_view> Shape::names() const {
  std::vector<std::string_view> names;
  for (const Shape* at = this; at->parent_ != nullptr; at = at->parent_) {
    names.emplace_back(at->name_);
  }
  std::ranges::reverse(names);
  return names;
}

}  // namespace espalier::script
