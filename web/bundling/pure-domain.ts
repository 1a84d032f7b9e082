import type { Plugin } from 'vite';
import { isNode, type Node } from './syntax-tree.ts';

/** The domain, and what screens have beside them: their schemas and their words. */
const PURE = /\/(domain\/src|web\/app\/(routes|components))\/[^?]+\.ts(\?checks)?$/;

/** Where calls start that run when the module is loaded; those within functions run later. */
function callsAtLoad(node: Node, starts = new Set<number>()): ReadonlySet<number> {
  if (/Function|Class/.test(node.type)) return starts;
  if (node.type === 'CallExpression' || node.type === 'NewExpression') starts.add(node.start);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) callsAtLoad(child, starts);
  }
  return starts;
}

/**
 * Lets the bundler drop what a page does not use of the domain, and of the schemas of its forms. They are pure, but a
 * bundler has to assume that a call such as `z.object()` has effects: one constant beside a schema would bring the schema
 * and zod to every page.
 */
export function pureDomain(): Plugin {
  return {
    name: 'tapeline:pure-domain',
    transform(code, id, options) {
      if (options?.ssr || !PURE.test(id)) return null;
      const starts = [...callsAtLoad(this.parse(code))].sort((a, b) => b - a);
      let marked = code;
      for (const start of starts) marked = `${marked.slice(0, start)}/* @__PURE__ */ ${marked.slice(start)}`;
      return { code: marked, map: null };
    },
  };
}
