import type { Plugin } from 'vite';
import { childrenOf, isNode, type Node } from './syntax-tree.ts';

/** The domain, and what screens have beside them: their schemas and their words. */
export const PURE = /\/(domain\/src|web\/app\/(routes|components))\/[^?]+\.ts(\?checks)?$/;

const PURE_CALL = '/* @__PURE__ */ ';

/** What of a module runs when it is loaded; what is within functions runs later. */
function* runAtLoad(node: Node): Generator<Node> {
  if (/Function|Class/.test(node.type)) return;
  yield node;
  for (const child of childrenOf(node)) yield* runAtLoad(child);
}

const isCall = ({ type }: Node): boolean => type === 'CallExpression' || type === 'NewExpression';
/** What reads a property of something else, which might be a function. */
const isRead = ({ type }: Node): boolean => type === 'MemberExpression' || type === 'SpreadElement';

interface Declarator {
  readonly id: Node & { readonly properties?: readonly Node[]; readonly elements?: readonly (Node | null)[] };
  readonly init?: Node | null;
}

/** The constants of a module. */
function constantsOf(program: Node): Declarator[] {
  const { body = [] } = program as Node & { body?: readonly Node[] };
  return body.flatMap((statement) => {
    const { declaration } = statement as Node & { declaration?: Node };
    const { kind, declarations = [] } = (isNode(declaration) ? declaration : statement) as Node & {
      kind?: string;
      declarations?: readonly Declarator[];
    };
    return kind === 'const' ? declarations : [];
  });
}

/** The names of `{ a, b: c }` or `[a, c]`, with where each is found; null if it is not as plain as that. */
function namesOf(pattern: Declarator['id']): (readonly [there: string, here: string])[] | null {
  if (pattern.type === 'ArrayPattern') {
    const names = (pattern.elements ?? []).map((element, index) =>
      element?.type === 'Identifier' ? ([`[${index}]`, (element as Node & { name: string }).name] as const) : null,
    );
    return names.every((name) => name !== null) ? names : null;
  }
  if (pattern.type !== 'ObjectPattern') return null;
  const names = (pattern.properties ?? []).map((property) => {
    const { key, value, computed } = property as Node &
      Record<'key' | 'value', Node & { name?: string }> & {
        computed?: boolean;
      };
    return property.type === 'Property' && !computed && key.name && value.type === 'Identifier' && value.name
      ? ([`.${key.name}`, value.name] as const)
      : null;
  });
  return names.every((name) => name !== null) ? names : null;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const insert = (start: number, text: string): Edit => ({ start, end: start, text });

/** Lets a constant that is not used be dropped, with all that it reads. */
function constantEdits({ id, init }: Declarator, index: number): Edit[] {
  if (!init || /Function|Class/.test(init.type)) return [];
  const wrapped = [insert(init.start, `${PURE_CALL}(() => (`), insert(init.end, '))()')];
  if (id.type === 'Identifier') return [...runAtLoad(init)].some(isRead) ? wrapped : [];
  const names = namesOf(id);
  if (!names) return [];
  const whole = `taken$${index}`;
  const parts = names.map(([there, here]) => `, ${here} = ${PURE_CALL}(() => ${whole}${there})()`);
  return [{ start: id.start, end: id.end, text: whole }, ...wrapped, insert(init.end, parts.join(''))];
}

/**
 * Lets the bundler drop what a page does not use of the domain, and of the schemas of its forms. They are pure, but a
 * bundler has to assume that a call such as `z.object()` has effects, and so has a property such as `schema.shape`: one
 * constant beside a schema would bring the schema and zod to every page.
 */
export function pureDomain(): Plugin {
  return {
    name: 'tapeline:pure-domain',
    transform(code, id, options) {
      if (options?.ssr || !PURE.test(id)) return null;
      const program = this.parse(code);
      const edits = [
        ...constantsOf(program).flatMap(constantEdits),
        ...[...runAtLoad(program)].filter(isCall).map(({ start }) => insert(start, PURE_CALL)),
      ];
      let marked = code;
      // From the end; of those at one place, what is listed first comes first in the text.
      for (const { start, end, text } of edits.toReversed().sort((one, other) => other.start - one.start)) {
        marked = `${marked.slice(0, start)}${text}${marked.slice(end)}`;
      }
      return { code: marked, map: null };
    },
  };
}
