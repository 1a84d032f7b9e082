/** A node of the syntax tree that Rollup parses: its kind, and where it starts and ends in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The parts of a node that are nodes. */
export function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
  }
}

interface Specifier {
  readonly type: string;
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
    const names = specifiers.map(({ type: kind, local, imported, exported }): [string, string] | null => {
      if (isPassedOn) return exported ? [exported.name, local.name] : null;
      if (kind === 'ImportDefaultSpecifier') return [local.name, 'default'];
      return imported ? [local.name, imported.name] : null;
    });
    const isKnown = type !== 'ExportAllDeclaration' && !names.includes(null);
    return [{ source: source.value, isPassedOn, names: isKnown ? new Map(names as [string, string][]) : null }];
  });
}

/** What the names of a module need: of other names of it, and of those that it imports. */
export interface Uses {
  /** By each name that is declared at the top. */
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>;
  /** What runs whatever is taken. A call does not: `pureDomain` has marked it. */
  readonly always: ReadonlySet<string>;
  /** The names there by which others take it. */
  readonly exported: ReadonlyMap<string, string>;
}

type Named = Node & { readonly name: string };
const isName = (node: Node): node is Named => node.type === 'Identifier';

/** All names within a node that can be those of constants or functions. */
function namesIn(node: Node, found = new Set<string>()): Set<string> {
  if (isName(node)) found.add(node.name);
  // What only the server does: `import.meta.env.SSR` is written as its value.
  const { test, consequent, alternate } = node as Node & Partial<Record<'test' | 'consequent' | 'alternate', Node>>;
  if (node.type === 'ConditionalExpression' && test?.type === 'Literal' && consequent && alternate) {
    return namesIn((test as Node & { value?: unknown }).value ? consequent : alternate, found);
  }
  for (const child of childrenOf(node)) {
    const { computed, key, property } = node as Node & { computed?: boolean; key?: Node; property?: Node };
    // `{ key: 1 }` and `a.property` name nothing of the module.
    if (!computed && (child === key || child === property) && !(node as { shorthand?: boolean }).shorthand) continue;
    namesIn(child, found);
  }
  return found;
}

/** What each name of a module needs. */
export function usesOf(program: Node): Uses {
  const { body = [] } = program as Node & { body?: readonly Node[] };
  const byName = new Map<string, ReadonlySet<string>>();
  const always = new Set<string>();
  const exported = new Map<string, string>();
  const declare = (node: Node, isExported: boolean): void => {
    const { id, declarations = [] } = node as Node & {
      id?: Node;
      declarations?: readonly (Node & { id: Node })[];
    };
    for (const part of declarations.length > 0 ? declarations : [{ ...node, id: id ?? node }]) {
      const used = namesIn(part);
      for (const name of namesIn(part.id)) {
        byName.set(name, used);
        if (isExported) exported.set(name, name);
      }
    }
  };
  for (const statement of body) {
    const { expression } = statement as Node & { expression?: Node };
    if (expression?.type === 'CallExpression') continue;
    const { declaration, source, specifiers = [] } = statement as Node & Declaration & { declaration?: Node };
    if (statement.type === 'ExportDefaultDeclaration' && isNode(declaration)) {
      byName.set('default', namesIn(declaration));
      exported.set('default', 'default');
    } else if (statement.type === 'ExportNamedDeclaration') {
      if (isNode(declaration)) declare(declaration, true);
      else if (!source) for (const each of specifiers) exported.set(each.exported?.name ?? '', each.local.name);
    } else if (/^(Variable|Function|Class)Declaration$/.test(statement.type)) declare(statement, false);
    else if (!/^(Import|ExportAll)Declaration$/.test(statement.type))
      for (const name of namesIn(statement)) always.add(name);
  }
  return { byName, always, exported };
}
