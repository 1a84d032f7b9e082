import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { isNode, type Node } from './syntax-tree.ts';

/** Marks the modules that check forms. They are copies, so that a page's own modules have no part of a schema. */
export const CHECKS = '?checks';

/** A part of a page that checks what is entered while it is written, by this end of its name. It is loaded as a part. */
const CHECKING_PART = /\.checks\.tsx$/;
const OWN = /\/(domain\/src|sheets\/src|web\/app\/(http|routes|components))\/[^?]+\.tsx?$/;
const COMPONENTS = /\/web\/app\/components\//;
/** What imports these has the state of the page, of which there is one. */
const OF_PAGE = /^import (?!type\b)[^;]*from '(react|@remix-run\/react|@conform-to\/react)'/m;

const isCopied = (id: string): boolean =>
  OWN.test(id) && !(COMPONENTS.test(id) && (id.endsWith('.tsx') || OF_PAGE.test(readFileSync(id, 'utf8'))));

const DESCRIBED = /\/web\/app\/[^?]+\.ts$/;
/** The calls whose values are written into the bundle. */
const WRITTEN = new Set(['describeForm', 'describeForms', 'atBuild']);

interface Described {
  readonly name: string;
  readonly call: Node;
}

/** The descriptions that a module exports: `export const x = describeForm(…)`. */
function describedBy(program: Node): Described[] {
  const { body = [] } = program as Node & { body?: readonly Node[] };
  return body.flatMap((statement) => {
    const { declaration } = statement as Node & { declaration?: Node };
    if (statement.type !== 'ExportNamedDeclaration' || !isNode(declaration)) return [];
    const { declarations = [] } = declaration as Node & {
      declarations?: readonly { id: { name: string }; init?: Node & { callee?: { name?: string } } }[];
    };
    return declarations.flatMap(({ id, init }) =>
      init?.type === 'CallExpression' && WRITTEN.has(init.callee?.name ?? '') ? [{ name: id.name, call: init }] : [],
    );
  });
}

interface Description {
  readonly constraint: object;
  readonly chosen: readonly string[];
  readonly missing: object;
}

const isDescription = (value: object): value is Description => 'constraint' in value && 'checks' in value;
const isText = (value: object): boolean => typeof value === 'string' || Array.isArray(value);

/** The text of a description, whose checks are loaded by the address of their module. */
function written(value: object, path: string, address: string): string {
  if (isText(value)) return JSON.stringify(value);
  if (!isDescription(value)) {
    const entries = Object.entries(value).map(
      ([name, one]) => `${JSON.stringify(name)}: ${written(one, `${path}[${JSON.stringify(name)}]`, address)}`,
    );
    return `{ ${entries.join(', ')} }`;
  }
  const { constraint, chosen, missing } = value;
  const plain = JSON.stringify({ constraint, chosen, missing });
  return `{ ...${plain}, checks: () => import(${JSON.stringify(address)}).then((module) => module.${path}.checks()) }`;
}

/**
 * Keeps the schemas of forms out of the pages. In the browser, what `describeForm`, `describeForms` and `atBuild`
 * return is written into the bundle as it is at the time of the build. Its `checks` load a copy of the module, and of what it needs of the
 * product, which has the schema. So does a part of a page whose name ends in `.checks.tsx`.
 */
export function formChecks(): Plugin {
  return {
    name: 'tapeline:form-checks',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (options.ssr) return null;
        if (source.endsWith(CHECKS)) return source;
        const isCopy = importer?.endsWith(CHECKS) ?? false;
        const isPart = CHECKING_PART.test(source);
        if (!isCopy && !isPart) return null;
        const by = isCopy ? importer?.slice(0, -CHECKS.length) : importer;
        const found = await this.resolve(source, by, { ...options, skipSelf: true });
        return found && (isPart || isCopied(found.id)) ? { ...found, id: `${found.id}${CHECKS}` } : found;
      },
    },
    async transform(code, id, options) {
      if (options?.ssr || !DESCRIBED.test(id) || !/describeForm|atBuild/.test(code)) return null;
      const described = describedBy(this.parse(code));
      if (described.length === 0) return null;
      const module = (await import(pathToFileURL(id).href)) as Readonly<Record<string, object>>;
      let text = code;
      for (const { name, call } of described.toReversed()) {
        const value = module[name];
        if (!value) this.error(`${id} exports no ${name}`);
        text = `${text.slice(0, call.start)}${written(value, name, `${id}${CHECKS}`)}${text.slice(call.end)}`;
      }
      return { code: text, map: null };
    },
  };
}
