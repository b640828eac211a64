// What the routes' bodies may hold: the fields that answers depend on.
#include <nlohmann/json.hpp>

#include "runtime/server/openapi.h"

namespace espalier {
namespace {

constexpr const char* kSchemas = R"({
"Error": {"type": "object", "required": ["error"], "properties": {"error": {"type": "object",
  "required": ["message", "type", "param", "code"], "properties": {
    "message": {"type": "string"}, "type": {"type": "string"},
    "param": {"type": ["string", "null"]}, "code": {"type": "string"}}}}},
"Sampling": {"type": "object", "properties": {
  "temperature": {"type": ["number", "null"], "minimum": 0},
  "top_p": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1},
  "top_k": {"type": ["integer", "null"], "minimum": -1},
  "min_p": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
  "frequency_penalty": {"type": ["number", "null"], "minimum": -2, "maximum": 2},
  "presence_penalty": {"type": ["number", "null"], "minimum": -2, "maximum": 2},
  "repetition_penalty": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 2},
  "stop": {"oneOf": [{"type": "null"}, {"type": "string"},
    {"type": "array", "items": {"type": "string"}, "maxItems": 4}]},
  "stop_token_ids": {"type": ["array", "null"], "items": {"type": "integer", "minimum": 0}},
  "ignore_eos": {"type": ["boolean", "null"]}, "skip_special_tokens": {"type": "boolean"},
  "seed": {"type": ["integer", "null"]},
  "n": {"type": ["integer", "null"], "minimum": 1, "maximum": 128},
  "logit_bias": {"type": ["object", "null"],
    "additionalProperties": {"type": "number", "minimum": -100, "maximum": 100}},
  "regex": {"type": ["string", "null"]}, "ebnf": {"type": ["string", "null"]},
  "json_schema": {"type": ["object", "string", "boolean", "null"]}}},
"OpenAiCommon": {"allOf": [{"$ref": "#/components/schemas/Sampling"}, {"type": "object",
  "properties": {
    "model": {"type": "string"},
    "max_tokens": {"type": ["integer", "null"], "minimum": 0},
    "stream": {"type": ["boolean", "null"]},
    "stream_options": {"type": ["object", "null"],
      "properties": {"include_usage": {"type": "boolean"}}},
    "response_format": {"oneOf": [{"type": "null"},
      {"type": "object", "required": ["type"],
       "properties": {"type": {"enum": ["text", "json_object"]}}},
      {"type": "object", "required": ["type", "json_schema"], "properties": {
        "type": {"const": "json_schema"},
        "json_schema": {"type": "object", "required": ["schema"],
          "properties": {"name": {"type": "string"}, "schema": {"type": "object"}}}}}]},
    "cache_salt": {"type": ["string", "null"]}, "user": {"type": ["string", "null"]},
    "priority": {"type": ["integer", "null"], "minimum": -1000000, "maximum": 1000000},
    "retention_s": {"type": ["number", "null"], "minimum": 0, "maximum": 1000000000},
    "timeout": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1000000}}}]},
"Message": {"type": "object", "required": ["role", "content"], "properties": {
  "role": {"enum": ["developer", "system", "user", "assistant"]},
  "content": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "object",
    "required": ["type", "text"],
    "properties": {"type": {"const": "text"}, "text": {"type": "string"}}}}]}}},
"Tool": {"type": "object", "required": ["type", "function"], "properties": {
  "type": {"const": "function"}, "function": {"type": "object", "required": ["name"],
    "properties": {"name": {"type": "string", "pattern": "^[a-zA-Z0-9_-]{1,64}$"},
      "description": {"type": "string"}, "parameters": {"type": "object"}}}}},
"ChatCompletionRequest": {"allOf": [{"$ref": "#/components/schemas/OpenAiCommon"},
  {"type": "object", "required": ["messages"], "properties": {
    "messages": {"type": "array", "minItems": 1,
      "items": {"$ref": "#/components/schemas/Message"}},
    "max_completion_tokens": {"type": ["integer", "null"], "minimum": 0},
    "logprobs": {"type": ["boolean", "null"]},
    "top_logprobs": {"type": ["integer", "null"], "minimum": 0, "maximum": 20},
    "tools": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Tool"}},
    "tool_choice": {"oneOf": [{"enum": ["none", "auto", "required", null]}, {"type": "object"}]},
    "parallel_tool_calls": {"type": ["boolean", "null"]},
    "chat_template_kwargs": {"type": ["object", "null"]},
    "add_generation_prompt": {"type": ["boolean", "null"]},
    "continue_final_message": {"type": ["boolean", "null"]}}}]},
"CompletionRequest": {"allOf": [{"$ref": "#/components/schemas/OpenAiCommon"},
  {"type": "object", "required": ["prompt"], "properties": {
    "prompt": {"oneOf": [{"type": "string"},
      {"type": "array", "minItems": 1, "maxItems": 2048, "items": {"type": "string"}},
      {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 0}}]},
    "echo": {"type": ["boolean", "null"]},
    "logprobs": {"type": ["integer", "null"], "minimum": 0, "maximum": 20}}}]},
"ResponseRequest": {"type": "object", "required": ["input"], "properties": {
  "model": {"type": "string"},
  "input": {"oneOf": [{"type": "string"},
    {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Message"}}]},
  "instructions": {"type": ["string", "null"]},
  "max_output_tokens": {"type": ["integer", "null"], "minimum": 1},
  "temperature": {"type": ["number", "null"], "minimum": 0},
  "top_p": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1},
  "stream": {"type": ["boolean", "null"]},
  "tools": {"type": ["array", "null"], "items": {"type": "object"}}}},
"EmbeddingsRequest": {"type": "object", "required": ["input"], "properties": {
  "model": {"type": "string"},
  "input": {"oneOf": [{"type": "string", "minLength": 1},
    {"type": "array", "minItems": 1, "maxItems": 2048,
     "items": {"type": "string", "minLength": 1}},
    {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 0}}]},
  "encoding_format": {"enum": ["float", "base64", null]},
  "dimensions": {"type": ["integer", "null"], "minimum": 1},
  "cache_salt": {"type": ["string", "null"]}, "user": {"type": ["string", "null"]}}},
"GenerateRequest": {"type": "object", "properties": {
  "text": {"oneOf": [{"type": "null"}, {"type": "string"},
    {"type": "array", "minItems": 1, "items": {"type": "string"}}]},
  "input_ids": {"oneOf": [{"type": "null"},
    {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 0}}]},
  "sampling_params": {"allOf": [{"$ref": "#/components/schemas/Sampling"}, {"type": "object",
    "properties": {"max_new_tokens": {"type": ["integer", "null"], "minimum": 0}}}]},
  "return_logprob": {"type": ["boolean", "null"]},
  "logprob_start_len": {"type": ["integer", "null"], "minimum": -1},
  "top_logprobs_num": {"type": ["integer", "null"], "minimum": 0, "maximum": 20},
  "stream": {"type": ["boolean", "null"]}, "rid": {"type": ["string", "null"]},
  "cache_salt": {"type": ["string", "null"]},
  "priority": {"type": ["integer", "null"], "minimum": -1000000, "maximum": 1000000},
  "retention_s": {"type": ["number", "null"], "minimum": 0, "maximum": 1000000000},
  "timeout": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1000000}}},
"AbortRequest": {"type": "object", "properties": {
  "rid": {"type": "string", "minLength": 1}, "abort_all": {"type": "boolean"}}},
"TokenizeRequest": {"type": "object", "properties": {
  "prompt": {"oneOf": [{"type": "string"},
    {"type": "array", "minItems": 1, "maxItems": 2048, "items": {"type": "string"}}]},
  "messages": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Message"}},
  "content": {"type": "string"}, "add_special_tokens": {"type": "boolean"},
  "add_special": {"type": "boolean"}, "parse_special": {"type": "boolean"},
  "with_pieces": {"type": "boolean"}, "return_token_strs": {"type": "boolean"}}},
"DetokenizeRequest": {"type": "object", "required": ["tokens"], "properties": {
  "tokens": {"oneOf": [{"type": "array", "items": {"type": "integer", "minimum": 0}},
    {"type": "array", "minItems": 1,
     "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}}]},
  "skip_special_tokens": {"type": "boolean"}}},
"ProgramText": {"type": "object", "required": ["text"],
  "properties": {"text": {"type": "string"}}},
"ProgramArguments": {"type": "object", "properties": {"stream": {"type": "boolean"}}}
})";

}  // namespace

const nlohmann::ordered_json& BodySchemas() {
  static const nlohmann::ordered_json kParsed = nlohmann::ordered_json::parse(kSchemas);
  return kParsed;
}

}  // namespace espalier
