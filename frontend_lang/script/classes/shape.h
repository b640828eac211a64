// Shape: which attributes an instance has, in which slots, in the order in which they
// were set. Instances of one class that were filled in one order share one shape, so an
// attribute is found once a shape and name, not once an object.
//
// Shapes of a class form a tree: each adds one name to its parent. They live as long as
// the class.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::script {

class ClassObject;

class Shape {
 public:
  static constexpr int kMaxSlots = 48;     // an instance with more keeps them in a dict
  static constexpr int kMaxShapes = 1000;  // of one class

  explicit Shape(ClassObject& owner) : owner_(owner) {}

  ClassObject& owner() const { return owner_; }
  int num_slots() const { return num_slots_; }
  int Find(std::string_view name) const;  // the slot, or -1
  // The shape with that name in one more slot; null where there are too many.
  // REQUIRES: Find(name) < 0.
  Shape* With(std::string_view name);
  std::vector<std::string_view> names() const;  // by slot

 private:
  Shape(Shape& parent, std::string_view name)
      : owner_(parent.owner_), parent_(&parent), name_(name), num_slots_(parent.num_slots_ + 1) {}

  ClassObject& owner_;
  Shape* parent_ = nullptr;
  std::string name_;  // of the last slot
  int num_slots_ = 0;
  std::vector<std::unique_ptr<Shape>> children_;
};

}  // namespace espalier::script
