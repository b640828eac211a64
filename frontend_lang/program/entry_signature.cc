#include "frontend_lang/program/entry_signature.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "frontend_lang/script/syntax/lexer.h"
#include "frontend_lang/script/syntax/parser.h"

namespace espalier::program {
namespace {

using script::FunctionStmt;
using script::Parameter;
using script::Source;
using script::Span;
using script::Token;
using K = script::TokenKind;

Status Refused(const Source& source, std::string what) {
  return {Code::kInvalidArgument, fmt::format("{}: {}", source.name(), what)};
}

// @sgl.function, @function, @sgl.function(num_api_spec_tokens=...).
bool IsSglFunction(const Source& source, const FunctionStmt& function) {
  return std::any_of(function.decorators.begin(), function.decorators.end(),
                     [&](const script::Expr* decorator) {
                       std::string_view text = source.Text(decorator->span);
                       text = text.substr(0, text.find('('));
                       return text == "function" || text.ends_with(".function");
                     });
}

// The last of each name, as it is when the file has run.
std::vector<const FunctionStmt*> TopFunctions(const script::Ast& ast) {
  std::vector<const FunctionStmt*> functions;
  for (const script::Stmt* stmt : ast.body) {
    const auto* function = stmt->If<FunctionStmt>();
    if (function == nullptr) continue;
    std::erase_if(functions, [&](const auto* other) { return other->name == function->name; });
    functions.push_back(function);
  }
  return functions;
}

Result<const FunctionStmt*> FindEntry(const script::Ast& ast, std::string_view name,
                                      std::string_view stem) {
  const std::vector<const FunctionStmt*> functions = TopFunctions(ast);
  const auto named = [&](std::string_view wanted) -> const FunctionStmt* {
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const auto* function) { return function->name == wanted; });
    return found == functions.end() ? nullptr : *found;
  };
  const Source& source = *ast.source;
  if (!name.empty()) {
    if (const FunctionStmt* entry = named(name)) return entry;
    return Refused(source, fmt::format("there is no function {} at the top of the file", name));
  }
  for (const std::string_view wanted : {stem, std::string_view("main")}) {
    if (const FunctionStmt* entry = named(wanted)) return entry;
  }
  std::vector<const FunctionStmt*> programs;
  for (const FunctionStmt* function : functions) {
    if (IsSglFunction(source, *function)) programs.push_back(function);
  }
  if (programs.size() == 1) return programs[0];
  return Refused(source, fmt::format("there is nothing to serve: define {} or main, or one "
                                     "@sgl.function, or name a function behind the file: {}:NAME",
                                     stem, source.name()));
}

// The text between a parameter's colon and what ends it.
std::string AnnotationAt(const Source& source, const std::vector<Token>& tokens,
                         const Parameter& parameter) {
  auto at = std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) {
    return token.span.begin == parameter.span.begin && token.kind == K::kName;
  });
  if (at == tokens.end() || (++at)->kind != K::kColon) return "";
  const auto first = ++at;
  int depth = 0;
  for (; at->kind != K::kEnd; ++at) {
    const bool opens =
        at->kind == K::kLeftParen || at->kind == K::kLeftBracket || at->kind == K::kLeftBrace;
    const bool closes =
        at->kind == K::kRightParen || at->kind == K::kRightBracket || at->kind == K::kRightBrace;
    const bool ends = closes || at->kind == K::kComma || at->kind == K::kAssign;
    if (depth == 0 && ends) break;
    depth += opens ? 1 : closes ? -1 : 0;
  }
  return std::string(source.Text(Span{first->span.begin, at->span.begin}));
}

}  // namespace

Result<EntrySignature> ReadEntrySignature(const std::shared_ptr<const Source>& source,
                                          std::string_view name, std::string_view stem) {
  auto parsed = script::Parse(source);
  if (const auto* problem = std::get_if<script::SyntaxProblem>(&parsed)) {
    return Status(Code::kInvalidArgument, script::Describe(*problem, *source));
  }
  const script::Ast& ast = *std::get<std::unique_ptr<const script::Ast>>(parsed);
  ESP_ASSIGN_OR_RETURN(const FunctionStmt* const entry, FindEntry(ast, name, stem));
  if (entry->is_async) {
    return Refused(*source, fmt::format("{} is an async def, which cannot be served", entry->name));
  }
  const script::Parameters& parameters = entry->parameters;
  const std::size_t num_states = IsSglFunction(*source, *entry) ? 1 : 0;
  if (parameters.num_positional_only > num_states) {
    return Refused(*source, fmt::format("{} takes arguments by position only, and requests give "
                                        "them by name",
                                        entry->name));
  }
  EntrySignature signature{.name = std::string(entry->name),
                           .takes_more = !parameters.double_star.empty()};
  const script::TokenList lexed = script::Lex(*source);
  const auto add = [&](const Parameter& parameter) {
    const script::Expr* const value = parameter.default_value;
    signature.parameters.push_back(
        {std::string(parameter.name), AnnotationAt(*source, lexed.tokens, parameter),
         value == nullptr ? std::string() : std::string(source->Text(value->span))});
  };
  const std::size_t num_skipped = std::min(num_states, parameters.positional.size());
  std::for_each(parameters.positional.begin() + static_cast<std::ptrdiff_t>(num_skipped),
                parameters.positional.end(), add);
  std::for_each(parameters.keyword_only.begin(), parameters.keyword_only.end(), add);
  return signature;
}

}  // namespace espalier::program
