#include "runtime/cli/bench_workloads.h"

#include <algorithm>

namespace espalier {
namespace {

// words(n, key) is always the same text of n words, about 1.1 tokens a word.
constexpr std::string_view kPrelude = R"(import sglang as sgl

WORDS = ("the of and to in is that for it was on are as with they at be this have from or one had "
         "by word but not what all were we when your can said there use an each which she do how "
         "their if will up other about out many then them these so some her would make like him "
         "into time has look two more write go see number no way could people my than first water "
         "been call who oil its now find long down day did get come made may part").split()

def words(count, key):
    state = (key * 7919 + 12345) % 2147483648
    chosen = []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        chosen.append(WORDS[(state >> 12) % len(WORDS)])
    return " ".join(chosen)
)";

constexpr std::string_view kFewShot = R"(
def example(key, answer):
    return "Question: " + words(190, key) + "\nA. yes\nB. no\nC. maybe\nD. never\nAnswer:" + answer

@sgl.function
def few_shot(s, examples, question):
    s += examples + question
    s += sgl.gen("answer", max_tokens=1, temperature=0)

def main(n, seed):
    examples = "".join(example(seed + i, " " + "ABCD"[i % 4] + "\n\n") for i in range(5))
    few_shot.run_batch([{"examples": examples,
                         "question": "Question: " + words(40, seed + 100 + i) + "\nAnswer:"}
                        for i in range(n)], temperature=0)
)";

constexpr std::string_view kHellaSwag = R"(
@sgl.function
def ending(s, shots, context, endings):
    s += shots + context
    s += sgl.select("ending", choices=endings)

def main(n, seed):
    shots = "".join(words(36, seed + i) + ". " + words(9, seed + 50 + i) + ".\n\n"
                    for i in range(20))
    ending.run_batch([{"shots": shots, "context": words(36, seed + 100 + i) + ".",
                       "endings": [" Then " + words(9, seed + 1000 + 4 * i + k) + "."
                                   for k in range(4)]} for i in range(n)])
)";

constexpr std::string_view kChat = R"(
@sgl.function
def chat(s, turns, answer_tokens):
    for turn in turns:
        s += turn
        s += sgl.gen(max_tokens=answer_tokens, ignore_eos=True, temperature=0)

def main(n, seed):
    def turn(key):
        return words(240 + key * 37 % 160, key) + "\n"
    chat.run_batch([{"turns": [turn(seed + 10 * i + k) for k in range(4)],
                     "answer_tokens": 4 + (seed + i) % 5} for i in range(n)])
)";

constexpr std::string_view kTreeOfThought = R"(
@sgl.function
def tree(s, question, branches):
    s += sgl.system("You solve problems with care, one step after the other.")
    leaves = [s]
    for request in [
            "Here is a problem: " + question + "\nThink of a plan to solve it, in a few sentences. "
            "Do not solve it yet.",
            "Carry out the plan. Show each step and what comes of it.",
            "Look at your solution again. Say what is right, what is wrong, and what is missing.",
            "Give the final answer in one sentence, as a number with its unit."]:
        grown = []
        for leaf in leaves:
            leaf += sgl.user(request)
            forks = leaf.fork(branches)
            forks += sgl.assistant(sgl.gen("said", max_tokens=256, temperature=0.001))
            grown.extend(forks)
        leaves = grown
    return [leaf["said"] for leaf in leaves]

def main(n, seed):
    tree.run_batch([{"question": words(60, seed + i), "branches": 2} for i in range(n)])
)";

constexpr std::string_view kSkeleton = R"(
@sgl.function
def expand(s, topic, tip):
    s += "Write a paragraph that explains a tip on " + topic + ".\nThe tip: " + tip
    s += "\nThe paragraph:" + sgl.gen("paragraph", max_tokens=128, stop="\n\n", temperature=0)

@sgl.function
def skeleton(s, topic):
    s += "Give five short tips on " + topic + ".\n1." + sgl.gen("0", max_tokens=24, stop="\n")
    for i in range(1, 5):
        s += f"\n{i + 1}." + sgl.gen(str(i), max_tokens=24, stop="\n", temperature=0)
    parts = expand.run_batch([{"topic": topic, "tip": s[str(i)]} for i in range(5)])
    for part in parts:
        s += "\n" + part["paragraph"]

def main(n, seed):
    skeleton.run_batch([{"topic": words(12, seed + i)} for i in range(n)], temperature=0)
)";

constexpr std::string_view kJudge = R"(
ASPECTS = ["clarity", "originality", "structure", "evidence", "grammar", "tone"]

@sgl.function
def judge(s, article):
    s += "Read this article with care and judge it.\n\n" + article + "\n\n"
    forks = s.fork(len(ASPECTS))
    for fork, aspect in zip(forks, ASPECTS):
        fork += f"Judge the {aspect} of the article in a few sentences. End with END.\n"
        fork += sgl.gen("judgement", max_tokens=256, stop="END", temperature=0)
    forks.join()
    s += "Judgements:\n" + "\n".join(s["judgement"])[:1200]
    s += "\nThe score from 1 to 10:" + sgl.gen("score", max_tokens=2, temperature=0)

def main(n, seed):
    judge.run_batch([{"article": words(320, seed + i)} for i in range(n)])
)";

constexpr std::string_view kReAct = R"(
@sgl.function
def react(s, examples, question, observations):
    s += examples + "Question: " + question + "\n"
    for i, seen in enumerate(observations):
        s += f"Thought {i + 1}:"
        forks = s.fork(1)
        forks += sgl.gen("thought", max_tokens=200, stop="Observation", temperature=0)
        forks.join()
        s += " " + words(14, len(seen) + i) + f"\nAction {i + 1}: Search[{words(3, i)}]\n"
        s += f"Observation {i + 1}: {seen}\n"

def main(n, seed):
    examples = "".join("Question: " + words(20, seed + i) + "\nThought 1: " +
                       words(130, seed + 10 + i) + "\n\n" for i in range(6))
    react.run_batch([{"examples": examples, "question": words(20, seed + 100 + i),
                      "observations": [words(50, seed + 1000 + 3 * i + k) for k in range(3)]}
                     for i in range(n)])
)";

constexpr std::string_view kJson = R"(
@sgl.function
def extract(s, document):
    s += "Fill in the form from this document.\n\n" + document + "\n\n"
    with s.var_scope("form"):
        s += '{\n  "name": ' + sgl.gen("name", regex='"[A-Za-z ]{1,40}"', max_tokens=16)
        s += ',\n  "year": ' + sgl.gen("year", regex="[12][0-9]{3}", max_tokens=8)
        s += ',\n  "country": ' + sgl.gen("country", regex='"[A-Za-z ]{1,30}"', max_tokens=16)
        s += ',\n  "population": ' + sgl.gen("population", regex="[1-9][0-9]{0,8}", max_tokens=16)
        s += ',\n  "landmarks": ' + sgl.gen("landmarks", regex='\\["[A-Za-z ]{1,60}"\\]',
                                            max_tokens=24) + "\n}"

def main(n, seed):
    extract.run_batch([{"document": words(280, seed + i)} for i in range(n)], temperature=0)
)";

constexpr std::string_view kChains = R"(
@sgl.function
def chains(s, shots, question):
    s += shots + "Question: " + question + "\nAnswer: "
    forks = s.fork(5)
    for i, fork in enumerate(forks):
        fork += "Let us think it through" + [".", ", slowly.", " in steps.", " again.", " now."][i]
        fork += sgl.gen("chain", max_tokens=128, stop="Question", temperature=0.3)
    forks.join()
    votes = {}
    for chain in s["chain"]:
        votes[chain[-8:]] = votes.get(chain[-8:], 0) + 1
    return max(votes, key=votes.get)

def main(n, seed):
    shots = "".join("Question: " + words(30, seed + i) + "\nAnswer: " + words(60, seed + 20 + i) +
                    "\n\n" for i in range(5))
    chains.run_batch([{"shots": shots, "question": words(40, seed + 100 + i)} for i in range(n)])
)";

constexpr std::string_view kRag = R"(
@sgl.function
def rag(s, passages, question):
    s += sgl.system("Answer from the passages alone.")
    with s.user():
        for i, passage in enumerate(passages):
            s += f"[{i + 1}] {passage}\n\n"
        s += "Question: " + question
    s += sgl.assistant(sgl.gen("answer", max_tokens=32, temperature=0))

def main(n, seed):
    library = [words(170, seed + i) for i in range(6)]
    rag.run_batch([{"passages": [library[i % 2], library[2 + i % 2], library[4 + i // 2 % 2]],
                    "question": words(16, seed + 100 + i)} for i in range(n)])
)";

constexpr BenchWorkload kWorkloads[] = {
    {"few-shot", "5 shots, 1 token out", 32, kFewShot},
    {"hellaswag", "20 shots, select of 4 endings", 16, kHellaSwag},
    {"multi-turn-chat", "4 turns of 256 to 448 tokens, 4 to 8 out", 8, kChat},
    {"tree-of-thought", "4 stages of 2 branches: 30 gens", 2, kTreeOfThought},
    {"skeleton-of-thought", "5 tips, each expanded", 4, kSkeleton},
    {"llm-judge", "6 forks judge an article, one scores", 4, kJudge},
    {"react", "3 steps, each thought in a fork", 4, kReAct},
    {"json-decode", "5 fields by regex", 12, kJson},
    {"multi-chain", "5 chains and a vote", 4, kChains},
    {"rag", "3 passages of 6, one question", 16, kRag},
};

}  // namespace

std::span<const BenchWorkload> BenchWorkloads() { return kWorkloads; }

const BenchWorkload* FindBenchWorkload(std::string_view name) {
  const auto* found = std::find_if(std::begin(kWorkloads), std::end(kWorkloads),
                                   [&](const BenchWorkload& row) { return row.name == name; });
  return found == std::end(kWorkloads) ? nullptr : found;
}

std::string BenchScript(const BenchWorkload& workload) {
  return std::string(kPrelude) + std::string(workload.script);
}

}  // namespace espalier
