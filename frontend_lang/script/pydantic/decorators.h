// What marks functions for models: @field_validator, @model_validator, @field_serializer,
// @model_serializer, @computed_field; and AfterValidator(f) and its kind, for Annotated.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

void AddDecorators(Module& pydantic);

}  // namespace espalier::script
