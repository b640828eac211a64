// Our ECMA dialect against a JavaScript engine's RegExp with the `u` flag, on random
// patterns and texts:  node regex_ecma.mjs DUMP [PAIRS] [SEED]
//
// Exits with 1 at the first disagreement. A pattern that RegExp refuses and we take is
// skipped: some forms that only browsers take without `u` are ours.
import { spawnSync } from 'node:child_process';

const [dump, pairs = '2000', seed = '1'] = process.argv.slice(2);
let state = BigInt(seed) * 2654435761n + 1n;
const random = (n) => {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number((state >> 33n) % BigInt(n));
};
const pick = (list) => list[random(list.length)];

const alphabet = ['a', 'b', 'c', 'A', '_', ' ', '\n', '\u2028', '1', '-', '.', '\u00e9', '\u4e2d',
  '\u{1f600}', '\u017f', 'k', '\u212a', '\ufeff', '\u0130'];
const sets = ['\\d', '\\w', '\\s', '\\D', '\\W', '\\S', '.', '[ab]', '[^a]', '[]', '[^]', '[a-c1]',
  '[\\w\\-]', '[^\\n]', '[\\u4e00-\\u9fff]', '\\x61', '\\u00e9', '\\u{1f600}', '\\ud83d\\ude00',
  '[\\ud83d\\ude00-\\ud83d\\ude4f]', '\\p{L}', '\\P{Lu}', '\\p{Script=Han}', '\\p{Alphabetic}',
  '\\cJ', '\\0', '\\p{Lowercase}', '[\\p{Nd}_]', '[\\b]', '\\/'];
const anchors = ['^', '$', '\\b', '\\B'];
const quantifiers = ['*', '+', '?', '{2}', '{1,}', '{0,3}', '*?', '+?', '{1,2}?'];
const openings = ['(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(', '(?:'];
let names = 0;

function piece(depth) {
  const kind = random(100);
  if (depth === 0 || kind < 35) {
    const c = pick(alphabet);
    return c === '.' ? '\\.' : c === '\n' ? '\\n' : c;
  }
  if (kind < 50) return pick(sets);
  if (kind < 62) return pick(anchors);
  if (kind < 65) return `(?<n${++names}>${pattern(depth - 1)})`;
  return pick(openings) + pattern(depth - 1) + ')';
}

function pattern(depth) {
  const alternatives = [];
  for (let i = 0, n = pick([1, 1, 1, 2]); i < n; ++i) {
    let text = '';
    for (let j = 0, m = random(4); j < m; ++j) {
      text += piece(depth);
      if (text && random(10) < 3) text += pick(quantifiers);
    }
    alternatives.push(text);
  }
  return alternatives.join('|');
}

const hexed = (text) => 'x' + Buffer.from(text, 'utf8').toString('hex');
const cases = [];
while (cases.length * 8 < Number(pairs)) {
  const texts = [];
  for (let i = 0; i < 8; ++i) {
    let text = '';
    for (let j = random(6); j > 0; --j) text += pick(alphabet);
    texts.push(text);
  }
  cases.push([pattern(3), texts]);
}

function compile(source) {
  try {
    return new RegExp(source, 'u');
  } catch {
    return null;
  }
}

function judge(answers) {
  const refused = {};
  let compared = 0, matched = 0;
  for (let i = 0; i < cases.length; ++i) {
    const [source, texts] = cases[i];
    const regex = compile(source);
    const answer = answers[i];
    if (answer.includes('refused')) {
      const code = answer.split('refused ')[1].split(':')[0];
      refused[code] = (refused[code] ?? 0) + 1;
      if (code === 'invalid_argument' && regex) {
        throw new Error(`${JSON.stringify(source)}: RegExp takes it, we say ${answer}`);
      }
      continue;
    }
    if (!regex) continue;
    for (let j = 0; j < texts.length; ++j) {
      const expected = regex.test(texts[j]);
      compared += 1;
      matched += expected ? 1 : 0;
      if (expected !== (answer[j] === '1')) {
        throw new Error(
          `${JSON.stringify(source)} on ${JSON.stringify(texts[j])}: RegExp says ${expected}`);
      }
    }
  }
  console.log(`${compared} pairs agree, ${matched} of them match; refused: ` +
    JSON.stringify(refused));
}

const input = cases.map(([p, texts]) => `e ${hexed(p)} ${texts.map(hexed).join(' ')}\n`).join('');
for (const flags of [[], ['--json']]) {
  const out = spawnSync(dump, flags, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (out.status !== 0) throw new Error(`the dump program failed: ${out.stderr}`);
  judge(out.stdout.split('\n'));
}
