// Arithmetic of templates: that of the shared values, but for integers too large.
//
// Work on integers grows with their size, and no chat needs large ones: beyond 65,536 bits
// a product, a power or a number read from text is a limit error, found beforehand.
#pragma once

#include "frontend_lang/chat/jinja_objects.h"

namespace espalier::jinja {

// left op right.
Outcome<Value> Arithmetic(Host& host, lang::BinaryOp op, const Value& left, const Value& right);

// A limit error where `value` is an integer too large.
Fault CheckInteger(const Value& value);

}  // namespace espalier::jinja
