/** What of V8's CPU profile is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

export interface Stage {
  readonly name: string;
  readonly microseconds: number;
}

const GARBAGE = 'garbage collection';
const REST = 'everything else';

/** Where code of a stage is found; the first that matches a script's address counts. */
const STAGES: readonly (readonly [name: string, url: RegExp])[] = [
  ['access token: jose, node:crypto', /\/jose\/|node:internal\/crypto|node:crypto/],
  ['who calls and what they may: one query', /db\/src\/operations\/identity\//],
  ['PostgreSQL: driver, pool, rows and their JSON columns', /\/pg[-@/]|db\/src\/read-(batch|session)\.ts|postgres-/],
  ['MikroORM and Kysely', /@mikro-orm|\/kysely\//],
  ['list query: parsing, SQL of the filter', /db\/src\/operations\/|domain\/src\/filters\//],
  ['validation: zod', /\/zod\//],
  ['JSON of the answer, exact amounts', /domain\/src\/wire\//],
  ['frame and mapping of documents', /web\/build\/server\//],
  ['router of the endpoints: Hono', /\/hono\//],
  ['Remix', /@remix-run|turbo-stream/],
  ['web Request, Response and Headers', /undici|node:internal\/(url|abort_controller|event_target|webstreams|fetch)/],
  ['log: pino', /\/(pino|sonic-boom|thread-stream|fast-redact|quick-format-unescaped)|safe-stable-stringify/],
  ['compression', /\/(compression|compressible|on-headers|vary)\//],
  ['security headers: helmet', /\/helmet\//],
  [
    'Express',
    /\/(express|send|serve-static|parseurl|proxy-addr|finalhandler|express-rate-limit|accepts|fresh|forwarded|ipaddr\.js|qs)[@/]/,
  ],
  ['web server: adapter, trace, checks', /web\/server(\.ts|\/)/],
  [
    'HTTP and sockets of Node.js',
    /node:(_http|net|internal\/(http|net|stream|streams|timers|js_stream)|stream|events|buffer|async_hooks|internal\/(async_hooks|process|buffer))/,
  ],
];

/**
 * Adds up a profile by stages, idle time left out. Code without a script, as JSON.parse, belongs to whoever called it.
 * @param calls answered while it was taken: the figures are for one call
 */
export function stagesOf({ nodes, samples, timeDeltas }: CpuProfile, calls: number): Stage[] {
  const stageOf = new Map<number, string | null>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (id: number, above: string): void => {
    const { callFrame, children = [] } = byId.get(id)!;
    const { functionName, url } = callFrame;
    let stage: string | null = above;
    if (functionName === '(idle)') stage = null;
    else if (functionName === '(garbage collector)') stage = GARBAGE;
    else if (url !== '') stage = STAGES.find(([, pattern]) => pattern.test(url))?.[0] ?? REST;
    stageOf.set(id, stage);
    for (const child of children) visit(child, stage ?? REST);
  };
  const called = new Set(nodes.flatMap(({ children = [] }) => children));
  for (const { id } of nodes) if (!called.has(id)) visit(id, REST);
  const sums = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const stage = stageOf.get(id);
    if (stage) sums.set(stage, (sums.get(stage) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return [...sums]
    .map(([name, sum]) => ({ name, microseconds: sum / calls }))
    .sort((left, right) => right.microseconds - left.microseconds);
}
