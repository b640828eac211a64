// `espalier inspect match`: which texts a constraint accepts, a question a line.
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "runtime/api/did_you_mean.h"
#include "runtime/api/result_json.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/each_line.h"
#include "runtime/cli/json_parts.h"
#include "runtime/cli/text_judge.h"

namespace espalier {
namespace {

struct Question {
  ConstraintSpec spec;
  std::vector<std::string> instances;
  std::vector<std::string> special_tokens;
};

Result<std::vector<std::string>> Strings(std::string_view json, std::string_view what) {
  ESP_ASSIGN_OR_RETURN(const auto elements, ArrayElements(json));
  std::vector<std::string> strings;
  for (const std::string_view element : elements) {
    ESP_ASSIGN_OR_RETURN(std::string text, StringOf(element, what));
    strings.push_back(std::move(text));
  }
  return strings;
}

// Sets `spec` to what the member asks for; kNone if it is no constraint.
Status ReadConstraint(const JsonPart& member, ConstraintSpec& spec) {
  if (member.name == "schema") {
    spec = SchemaToJudge(member.value);
  } else if (member.name == "regex" || member.name == "ebnf") {
    spec.kind = member.name == "regex" ? ConstraintKind::kRegex : ConstraintKind::kEbnf;
    ESP_ASSIGN_OR_RETURN(spec.text, StringOf(member.value, member.name));
  } else if (member.name == "structural_tag") {
    spec = SchemaToJudge("");
    spec.kind = ConstraintKind::kStructuralTag;
    spec.text = member.value;
    if (member.value.starts_with('"')) {
      ESP_ASSIGN_OR_RETURN(spec.text, StringOf(member.value, member.name));
    }
  } else if (member.name == "choices") {
    spec.kind = ConstraintKind::kChoice;
    ESP_ASSIGN_OR_RETURN(spec.choices, Strings(member.value, "a choice"));
  }
  return Status();
}

Result<Question> Read(std::string_view line) {
  ESP_ASSIGN_OR_RETURN(const std::vector<JsonPart> members, ObjectMembers(line));
  Question question;
  int num_instances = 0;
  int num_constraints = 0;
  for (const JsonPart& member : members) {
    if (member.name == "instances") {
      ESP_ASSIGN_OR_RETURN(question.instances, Strings(member.value, "an instance"));
      ++num_instances;
      continue;
    }
    if (member.name == "special_tokens") {
      ESP_ASSIGN_OR_RETURN(question.special_tokens, Strings(member.value, "a special token"));
      continue;
    }
    ConstraintSpec spec;
    ESP_RETURN_IF_ERROR(ReadConstraint(member, spec));
    if (spec.kind == ConstraintKind::kNone) {
      constexpr std::string_view kMembers[] = {
          "schema", "regex", "ebnf", "structural_tag", "choices", "instances", "special_tokens"};
      return Status(Code::kInvalidArgument, fmt::format("unknown member '{}'{}", member.name,
                                                        DidYouMean(member.name, kMembers)));
    }
    question.spec = std::move(spec);
    ++num_constraints;
  }
  if (num_constraints == 1 && num_instances == 1) return question;
  return Status(Code::kInvalidArgument,
                "a line has \"instances\" and one of \"schema\", \"regex\", \"ebnf\", "
                "\"structural_tag\", \"choices\"");
}

nlohmann::ordered_json Failure(const Status& status) {
  nlohmann::ordered_json answer = {{"status", status.code() == Code::kLimit ? "limit" : "refused"}};
  answer.update(ErrorJson(status));
  answer["accepted"] = nlohmann::ordered_json::array();
  return answer;
}

Result<nlohmann::ordered_json> Answer(std::string_view line,
                                      std::shared_ptr<const Vocabulary> tokens) {
  ESP_ASSIGN_OR_RETURN(const Question question, Read(line));
  if (!question.special_tokens.empty()) tokens = ByteVocabulary(question.special_tokens);
  const Result<TextJudge> judge = TextJudge::Make(question.spec, std::move(tokens));
  if (!judge.ok()) return Failure(judge.status());
  nlohmann::ordered_json accepted = nlohmann::ordered_json::array();
  for (const std::string& instance : question.instances) {
    const Result<bool> verdict = judge->Accepts(instance);
    if (!verdict.ok()) return Failure(verdict.status());
    accepted.push_back(*verdict);
  }
  return nlohmann::ordered_json{{"status", "ok"}, {"accepted", std::move(accepted)}};
}

}  // namespace

CommandBody DeclareInspectMatch(CLI::App& app) {
  auto jsonl = std::make_shared<std::string>();
  app.add_option("--jsonl", *jsonl,
                 "Questions, {\"schema\"|\"regex\"|\"ebnf\"|\"structural_tag\"|\"choices\", "
                 "\"instances\": [text...]} a line, and \"special_tokens\": [name...] that the "
                 "texts hold; '-': stdin")
      ->type_name("FILE")
      ->required();
  return [jsonl] {
    const std::shared_ptr<const Vocabulary> bytes = ByteVocabulary();
    return AnswerEachText(*jsonl, [&](std::string_view line) { return Answer(line, bytes); });
  };
}

}  // namespace espalier
