import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * Code that reads what other software says, which has no codes for it, or what an earlier version stored. Everything else
 * asks for the code of a refusal: see `domain/src/errors/reason.ts`.
 */
const READ_OTHER_TEXTS = {
  'db/src/library-warnings.ts': 'warnings of libraries',
  'db/src/service-faults.ts': 'errors of DuckDB, the pool and the operating system',
  'db/src/service-problems.ts': 'errors of PostgreSQL, TLS and the network',
  'db/src/schema/compare-schemas.ts': 'descriptions of PostgreSQL',
  'domain/src/filters/spoken-value.ts': 'sentences that people write',
  'domain/src/questions/figures.ts': 'questions of people',
  'domain/src/tapes/cell-reasons.ts': 'reasons that tapes store as text',
  'lake/src/storage/disk-space.ts': 'errors of DuckDB and PostgreSQL',
  'launch/src/attack/attack.ts': 'errors of fetch',
  'launch/src/home/lock.ts': 'errors of SQLite',
  'launch/src/rehearsal/install.ts': 'what a command prints for an operator',
  'launch/src/rehearsal/old-databases.ts': 'what a command prints for an operator',
  'launch/src/rehearsal/restore.ts': 'what a command prints for an operator',
  'launch/src/rehearsal/upgrade.ts': 'what a command prints for an operator',
  'launch/src/supervisor/log-line.ts': 'the log of PostgreSQL',
  'launch/src/temporal/find-cli.ts': 'what Temporal’s command prints',
  'web/app/components/page/error-screen.tsx': 'errors of browsers',
  'workers/src/doctor/examine.ts': 'errors of TLS and SMTP',
  'workers/src/job-limits.ts': 'errors of DuckDB',
  'workers/src/main.ts': 'messages of Temporal’s core',
};

const TEXTS = new Set(['message', 'reason', 'problem', 'failure', 'why', 'refusal']);
const MATCHES = new Set(['test', 'exec']);
const PARTS = new Set([
  'match',
  'matchAll',
  'startsWith',
  'endsWith',
  'includes',
  'indexOf',
  'search',
  'split',
  'replace',
  'replaceAll',
]);

/** Whether an expression is the text of an error: `error.message`, `reason`, `flags.title`, `String(error)`. */
function isText(node: ts.Expression | undefined): boolean {
  if (!node) return false;
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) return isText(node.expression);
  if (ts.isBinaryExpression(node)) return isText(node.left);
  if (ts.isIdentifier(node)) return TEXTS.has(node.text);
  if (ts.isElementAccessExpression(node)) return /\bflags$/.test(node.expression.getText());
  if (ts.isPropertyAccessExpression(node))
    return TEXTS.has(node.name.text) || /\bflags$/.test(node.expression.getText());
  return (
    ts.isCallExpression(node) &&
    node.expression.getText() === 'String' &&
    /^(error|cause|err)\b/.test(node.arguments[0]?.getText() ?? '')
  );
}

/** Several words of a sentence, in a text or a pattern. */
const isSentence = (node: ts.Expression | undefined): boolean =>
  node !== undefined &&
  (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isRegularExpressionLiteral(node)) &&
  /[A-Za-z]{3,} [a-z]{2,}/.test(node.getText());

/** A text to compare with: more than one word, or a constant. */
const isWording = (node: ts.Expression): boolean =>
  ts.isTemplateExpression(node) ||
  (ts.isStringLiteralLike(node) && /\S\s\S/.test(node.text)) ||
  /^[A-Z][A-Z_]+(\.|\[|$)/.test(node.getText());

function readsText(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    const [argument] = node.arguments;
    if (MATCHES.has(name.text)) return isText(argument) || isSentence(expression);
    return PARTS.has(name.text) && (isText(expression) || isSentence(argument));
  }
  if (ts.isSwitchStatement(node))
    return (
      isText(node.expression) &&
      node.caseBlock.clauses.some((each) => ts.isCaseClause(each) && isWording(each.expression))
    );
  if (!ts.isBinaryExpression(node) || !/^[!=]==?$/.test(node.operatorToken.getText())) return false;
  const { left, right } = node;
  return (isText(left) && isWording(right)) || (isText(right) && isWording(left));
}

const NAMES = [...TEXTS].join('|');
const CALLS = [...PARTS].join('|');
/** Only sources with one of these are worth parsing. */
const MAY_READ = [
  `\\b(?:${NAMES}|String)\\b[\\s\\S]{0,40}\\.(?:${CALLS})\\(`,
  `\\.(?:test|exec)\\([^\\n]*\\b(?:${NAMES}|String|flags)\\b`,
  `\\b(?:${NAMES}|flags)\\b[^\\n]{0,40}[!=]==?\\s*(?:['"\`]|[A-Z]{2})`,
  `(?:['"\`]|\\b[A-Z][A-Z_]+)[^\\n]{0,40}[!=]==?[^\\n]{0,40}\\b(?:${NAMES})\\b`,
  `\\bswitch \\([^\\n]*\\b(?:${NAMES})\\b`,
  `\\.(?:${CALLS})\\(\\s*['"\`/][^\\n]*[A-Za-z]{3,} [a-z]{2,}`,
  `/[^/\\n]*[A-Za-z]{3,} [a-z]{2,}[^/\\n]*/[a-z]*\\.(?:test|exec)\\(`,
].map((pattern) => new RegExp(pattern));

/** The lines of a source that decide by the text of an error. */
function linesReadingTexts(source: string, name = 'x.tsx'): string[] {
  if (!MAY_READ.some((pattern) => pattern.test(source))) return [];
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (readsText(node)) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test.each([
  '/^must be/.test(error.message)',
  '/^must be/.exec(problem.reason)',
  "refusal.message.startsWith('Nothing')",
  "(error.message ?? '').includes('closing date')",
  "error.flags?.email === 'has no account'",
  'error.message === LARGE_IMAGE',
  "reason !== 'is required'",
  "String(error).includes('locked')",
  "text.startsWith('Beyond what is unfunded')",
  '/does not exist/.test(line)',
  "switch (message) { case 'Not found': break; }",
])('finds %s', (source) => expect(linesReadingTexts(source)).toHaveLength(1));

test.each([
  "refusal.reason?.code === 'emailTaken'",
  "match.reason === 'name'",
  'problem.message === other.message',
  'message === null',
  "message === ''",
  '/^\\d+$/.test(text)',
  'reason.trim()',
])('lets %s pass', (source) => expect(linesReadingTexts(source)).toEqual([]));

test('no program decides by the text of a refusal', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const files = globSync('{domain,sheets,db,lake,mail,telemetry,workflows,workers,web,launch}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /node_modules|\/build$|\/testing$|\/tests$|\/fuzz$|\/migrations$|\.test\.tsx?$/.test(path),
  });
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.toSorted().flatMap((path) => {
    if (Object.hasOwn(READ_OTHER_TEXTS, path)) return [];
    return linesReadingTexts(readFileSync(`${root}/${path}`, 'utf8'), path).map((line) => `${path}: ${line}`);
  });
  expect(found).toEqual([]);
});

test.each(Object.keys(READ_OTHER_TEXTS))('%s still reads the texts that it is excused for', (path) => {
  const source = readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
  expect(linesReadingTexts(source, path)).not.toEqual([]);
});
