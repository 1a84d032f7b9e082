/** A node of the syntax tree that Rollup parses: its kind, and where it starts and ends in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

interface Specifier {
  readonly local: { readonly name: string };
  readonly imported?: { readonly name: string };
  readonly exported?: { readonly name: string };
}

/** `import { a as b } from 'x'`, or the same with `export`. */
interface Declaration extends Node {
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly Specifier[];
}

/** What a module takes from another: the names there by their names here; null for everything. */
export interface Taken {
  readonly source: string;
  readonly isPassedOn: boolean;
  readonly names: ReadonlyMap<string, string> | null;
}

/** The imports of a module, and what it exports of other modules, in their order. */
export function takenBy(program: Node): Taken[] {
  const { body = [] } = program as Node & { body?: readonly Declaration[] };
  return body.flatMap(({ type, source, specifiers = [] }) => {
    if (!source) return [];
    const isPassedOn = type !== 'ImportDeclaration';
    const names = specifiers.map(({ local, imported, exported }): [string, string] | null =>
      isPassedOn ? (exported ? [exported.name, local.name] : null) : imported ? [local.name, imported.name] : null,
    );
    const isKnown = type !== 'ExportAllDeclaration' && !names.includes(null);
    return [{ source: source.value, isPassedOn, names: isKnown ? new Map(names as [string, string][]) : null }];
  });
}
