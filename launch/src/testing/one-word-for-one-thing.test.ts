import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What people read. The REST calls and their descriptions keep the wire names of the specification. */
const SHOWN = [
  'web/app/**/*.tsx',
  'web/app/{commands,components,routes}/**/*.ts',
  'domain/src/{mail,*/print}/**/*.ts',
  'domain/src/*/*.collection.ts',
  'domain/src/{documents/field-labels,importer/kinds}.ts',
];

/** Words that screens, emails and PDFs no longer use, with the word for the same thing. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\bcompan(?:y|ies)\b/i, 'borrower'],
  [/\btransactions?\b/i, 'facility'],
  [/\bLPs?\b/, 'investor'],
  [/\bimporter\b/i, 'import'],
  [/\bcontributions?\b/i, 'capital call'],
  [/\bErrored$/, 'errors'],
  [/\broom\b/i, 'headroom'],
];

/** Texts that mean something else, or name a code of the specification. */
const OTHER_MEANINGS: readonly RegExp[] = [
  /management company/i,
  /transaction fees/i,
  /^A company, fund or person/,
  /^The register of companies, funds and people$/,
  // Capital account statements have the terms of ILPA's reporting template.
  /contributions to date/i,
  /^Contributions$/,
  /\/ contributions$/,
  // An example of a file name.
  /LP-0471/,
];

/** A text that is shown, and no key, address or class name: a word with a capital letter, or several words. */
const isShown = (text: string): boolean =>
  (/^\p{Lu}\p{Ll}+$/u.test(text) || (/\s/.test(text) && /[a-z]{2}/.test(text))) &&
  !/[[\]{}=$]|^select |--|\/\w+\/|^\w+\/ /.test(text);

/** The words of a file that were replaced, with their lines. */
function replacedWords(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const read = (node: ts.Node, text: string) => {
    const shown = text.replaceAll(/\s+/g, ' ').trim();
    if (!isShown(shown) || OTHER_MEANINGS.some((other) => other.test(shown))) return;
    for (const [word, instead] of REPLACED) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (word.test(shown)) found.push(`${path}:${line}: "${shown}" should say ${instead}`);
    }
  };
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxText(node)) read(node, node.text);
    else if (ts.isStringLiteralLike(node)) read(node, node.text);
    else if (ts.isTemplateExpression(node)) {
      read(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' … '));
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

test('Screens, emails and PDFs have one word for one thing', () => {
  const paths = SHOWN.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter(
    (path) => !/\.test\.|\/testing\/|web\/app\/api\//.test(path),
  );
  expect(paths.length).toBeGreaterThan(500);
  expect(paths.flatMap((path) => replacedWords(path, readFileSync(`${ROOT}/${path}`, 'utf8')))).toEqual([]);
});

test('A word is found in texts of screens, and not in keys and addresses', () => {
  const source = `
    const key = 'company';
    const label = { head: 'Company', to: '/monitoring/companies', fee: 'Transaction fees' };
    const text = <p>This company has no tape.</p>;
  `;
  expect(replacedWords('example.tsx', source)).toEqual([
    'example.tsx:3: "Company" should say borrower',
    'example.tsx:4: "This company has no tape." should say borrower',
  ]);
});
