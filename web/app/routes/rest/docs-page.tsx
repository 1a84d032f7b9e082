import { BrandMark } from '../../components/brand.tsx';
import { paths } from '../../paths.ts';

interface Shown {
  method: string;
  path: string;
  summary: string;
  permission: string;
  parameters: { name: string; place: string; required: boolean; description: string }[];
  request: string | null;
  example: string | null;
  status: string;
  response: string | null;
}

interface Operation {
  summary: string;
  description: string;
  parameters: { name: string; in: string; required: boolean; schema: { description?: string } }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

type Content = Record<string, { schema?: unknown; example?: unknown }>;

const jsonText = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value, null, 2));

/** The schema of a body. One that only refers to a component is shown as that component. */
function schemaText(content: Content | undefined, components: Record<string, unknown>): string | null {
  const schema = content?.['application/json']?.schema as { $ref?: string } | undefined;
  const name = schema?.$ref?.split('/').at(-1);
  return jsonText(name === undefined ? schema : components[name]);
}

/** The group of a path: the collection for /crud, the service for all others. */
function groupOf(path: string): string {
  const [, service = '', collection = ''] = path.split('/');
  return service === 'crud' ? `crud/${collection}` : service;
}

/** The calls of an OpenAPI document by group. */
function groupsOf(document: object): { name: string; calls: Shown[] }[] {
  const { paths: calls, components } = document as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, unknown> };
  };
  const groups = new Map<string, Shown[]>();
  for (const [path, methods] of Object.entries(calls)) {
    for (const [method, operation] of Object.entries(methods)) {
      const group = groupOf(path);
      const [status = '200'] = Object.keys(operation.responses).filter((code) => code.startsWith('2'));
      const shown: Shown = {
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        permission: operation.description,
        parameters: operation.parameters.map(({ name, in: place, required, schema }) => ({
          name,
          place,
          required,
          description: schema.description ?? '',
        })),
        request: schemaText(operation.requestBody?.content, components.schemas),
        example: jsonText(operation.requestBody?.content['application/json']?.example),
        status,
        response: schemaText(operation.responses[status]?.content, components.schemas),
      };
      groups.set(group, [...(groups.get(group) ?? []), shown]);
    }
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, shown]) => ({ name, calls: shown }));
}

/**
 * The REST API documentation: every call with its input and output. Plain HTML, so that it prints and works without
 * JavaScript.
 */
export function ApiDocumentation({ document }: { document: object }) {
  const groups = groupsOf(document);
  return (
    <main className="mx-auto max-w-[1040px] px-6 py-8">
      <a href={paths.home()} className="mb-6 inline-flex">
        <BrandMark />
        <span className="sr-only">Tapeline</span>
      </a>
      <h1 className="text-[20px] leading-7 font-semibold">REST API</h1>
      <p className="mt-1 mb-4 max-w-[68ch] text-ink-2">
        Send <code>Authorization: Bearer</code> with the access token. With every unsafe call, also send the value of
        the <code>tapeline_csrf</code> as <code>X-CSRF-Token</code>; it changes at sign-in and sign-out. Lists accept{' '}
        <code>filter</code>, <code>skip</code>, <code>limit</code>, <code>sort</code> and <code>groupBy</code>, and
        return the total in <code>X-Docs-Count</code>. OpenAPI document:{' '}
        <a className="text-accent" href="/openapi.json">
          openapi.json
        </a>
        .
      </p>
      {groups.map((group) => (
        <section key={group.name} className="mb-6">
          <h2 className="mb-2 text-[14px] font-semibold">{group.name}</h2>
          <div className="divide-y divide-line rounded-lg border border-line bg-paper">
            {group.calls.map((call) => (
              <CallDetails key={`${call.method} ${call.path}`} call={call} />
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}

function CallDetails({ call }: { call: Shown }) {
  return (
    <details className="px-4 py-2">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 text-[13px]">
        <span className="w-14 font-mono text-[12px] text-accent">{call.method}</span>
        <span className="font-mono text-[12px]">{call.path}</span>
        <span className="text-ink-2">{call.summary}</span>
      </summary>
      <div className="grid gap-3 py-3 text-[13px]">
        <p className="text-ink-3">
          {call.permission} Success: {call.status}.
        </p>
        {call.parameters.length > 0 && (
          <table className="w-full text-left">
            <thead className="text-[12px] text-ink-3">
              <tr>
                <th className="py-1 font-medium">Parameter</th>
                <th className="py-1 font-medium">In</th>
                <th className="py-1 font-medium">Meaning</th>
              </tr>
            </thead>
            <tbody>
              {call.parameters.map((parameter) => (
                <tr key={parameter.name}>
                  <td className="py-1 pr-4 font-mono text-[12px]">
                    {parameter.name}
                    {parameter.required ? ' (required)' : ''}
                  </td>
                  <td className="py-1 pr-4 text-ink-2">{parameter.place}</td>
                  <td className="py-1 text-ink-2">{parameter.description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {call.example && <Schema title="Example body" text={call.example} />}
        {call.request && <Schema title="Body" text={call.request} />}
        {call.response && <Schema title="Response" text={call.response} />}
      </div>
    </details>
  );
}

function Schema({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3 className="text-[12px] font-medium text-ink-3">{title}</h3>
      <pre className="mt-1 max-h-80 overflow-auto rounded-md bg-canvas p-3 font-mono text-[12px] leading-4">{text}</pre>
    </div>
  );
}
