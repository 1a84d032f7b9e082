import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What a person reads as the name of something: a few words with a capital letter first, and no sentence. */
const isLabel = (text: string): boolean => /^\p{Lu}[^.:?!]*$/u.test(text) && text.split(' ').length <= 4;

/** The texts of an object whose keys and values are all literal: `{ LP: 'Investor' }`. Null for other objects. */
function textsOf(node: ts.ObjectLiteralExpression): Map<string, string> | null {
  const texts = new Map<string, string>();
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isStringLiteralLike(property.initializer)) return null;
    if (!ts.isIdentifier(property.name) && !ts.isStringLiteral(property.name)) return null;
    texts.set(property.name.text, property.initializer.text);
  }
  return texts;
}

const isLabels = (node: ts.Node): node is ts.VariableDeclaration =>
  ts.isVariableDeclaration(node) && /_LABELS$/.test(node.name.getText());

/** An object of literal texts. */
interface Found {
  readonly texts: ReadonlyMap<string, string>;
  /** It is, or is within, a constant whose name ends in `_LABELS`. */
  readonly isDefinition: boolean;
  /** It is one of several in a list. */
  readonly isListed: boolean;
  readonly line: number;
}

function eachObject(path: string, source: string, visit: (found: Found) => void) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const walk = (node: ts.Node, isDefinition: boolean): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const texts = textsOf(node);
      const isListed = ts.isArrayLiteralExpression(node.parent) && node.parent.elements.length > 1;
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (texts) visit({ texts, isDefinition, isListed, line });
    }
    ts.forEachChild(node, (child) => walk(child, isLabels(node) || (isDefinition && !ts.isFunctionLike(node))));
  };
  walk(file, false);
}

type Enumeration = ReadonlyMap<string, string>;

/** The enumerations of the domain with their labels. */
function labelled(sources: ReadonlyMap<string, string>): Enumeration[] {
  const found: Enumeration[] = [];
  for (const [path, source] of sources) {
    if (!path.startsWith('domain/') || !source.includes('_LABELS')) continue;
    eachObject(path, source, ({ texts, isDefinition }) => {
      if (isDefinition && texts.size > 1) found.push(texts);
    });
  }
  return found;
}

/** The places that name values of an enumeration again. */
function labelledAgain(sources: ReadonlyMap<string, string>, enumerations: readonly Enumeration[]): string[] {
  const again: string[] = [];
  const values = enumerations.flatMap((values) => [...values.keys()]).join('|');
  // Only sources that give one of the values a text are worth parsing.
  const mayLabel = new RegExp(`\\b(?:${values})['"]?:\\s+['"\`]|value: ['"](?:${values})['"]`);
  for (const [path, source] of sources) {
    if (!mayLabel.test(source)) continue;
    eachObject(path, source, ({ texts, isDefinition, isListed, line }) => {
      if (isDefinition && path.startsWith('domain/')) return;
      const { value, label } = Object.fromEntries(texts);
      const isChoice = isListed && texts.size === 2 && value !== undefined && label !== undefined && isLabel(label);
      const isOf = (values: Enumeration) =>
        isChoice
          ? values.has(value)
          : texts.size > 1 && [...texts.keys()].every((key) => values.has(key)) && [...texts.values()].every(isLabel);
      if (enumerations.some(isOf)) again.push(`${path}:${line} ${JSON.stringify(Object.fromEntries(texts))}`);
    });
  }
  return again;
}

const DEFINITION = "export const KIND_LABELS = { fee: 'Management fee', other: 'Other' } as const;";
const found = (source: string) => {
  const sources = new Map([
    ['domain/src/kinds.ts', DEFINITION],
    ['web/app/form.ts', source],
  ]);
  return labelledAgain(sources, labelled(sources)).length;
};

test.each([
  ["const WORDS = { fee: 'Fee of the manager', other: 'Rest' };", 1],
  ["const KIND_LABELS = { other: 'Rest', fee: 'Fee' };", 1],
  ["const CHOICES = [{ value: 'fee', label: 'Fee' }, { value: '', label: 'None' }];", 1],
  ["const CHOICES = [{ value: 'fee', label: 'All fees' }];", 0],
  ["const SQL = { fee: 't.fees', other: 't.others' };", 0],
  ["const NOTES = { fee: 'It is paid each quarter.', other: 'Anything else.' };", 0],
  ["const OTHER = { fee: 'Fee', rent: 'Rent' };", 0],
])('%s labels values again: %s', (source, count) => {
  expect(found(source)).toBe(count);
});

test('the values of an enumeration have their labels where it is defined, and nowhere else', () => {
  const paths = globSync('{domain,db,lake,workflows,workers,web}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: (path) => /node_modules|\/build$|\/testing$|\/tests$|\/migrations$|\/seed$|\.test\.tsx?$/.test(path),
  });
  const sources = new Map(paths.toSorted().map((path) => [path, readFileSync(`${ROOT}/${path}`, 'utf8')]));
  const enumerations = labelled(sources);
  expect(enumerations.length).toBeGreaterThan(10);
  expect(labelledAgain(sources, enumerations)).toEqual([]);
});
