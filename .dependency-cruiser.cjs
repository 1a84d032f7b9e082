/** The one way imports may point: demonstration -> launch, lake; web, workers -> workflows, lake, mail -> db -> domain -> the pure part of sheets; lake, workers -> parquet; all but the pure ones -> telemetry. */
const inPackage = (name) => `^${name}/`;
const forbid = (from, to, comment) => ({
  name: `${from}-not-to-${to.replaceAll(/[^a-z]+/g, '-')}`,
  comment,
  severity: 'error',
  from: { path: inPackage(from) },
  to: { path: `^(${to})/` },
});

/** The folders of the web package: routes -> components, commands; api -> commands; all of them -> http. */
const rooms = (from, to, comment) => ({
  name: `web-${from}-not-to-${to.replaceAll('|', '-')}`,
  comment,
  severity: 'error',
  from: { path: `^web/app/${from}/`, pathNot: '\\.test\\.tsx?$' },
  to: { path: `^web/app/(${to})/` },
});

module.exports = {
  forbidden: [
    forbid(
      'sheets',
      'parquet|domain|telemetry|db|lake|mail|workflows|workers|web|launch|bench',
      'sheets reads files and knows nothing of Tapeline',
    ),
    forbid(
      'parquet',
      'domain|telemetry|db|lake|mail|workflows|workers|web|launch|bench',
      'parquet reads and joins files and knows nothing of Tapeline',
    ),
    {
      name: 'parquet-not-to-sheets',
      comment: 'parquet shares the handle of zlib and the fault of a cut file with sheets, and nothing else',
      severity: 'error',
      from: { path: inPackage('parquet') },
      to: { path: '^sheets/', pathNot: '^sheets/src/(inflater-state|faults)\\.ts$' },
    },
    forbid('domain', 'parquet|telemetry|db|lake|mail|workflows|workers|web|launch|bench', 'domain is pure'),
    {
      name: 'domain-not-to-reading-sheets',
      comment:
        'domain may name what a cell is, how a number is shown and how headers repeat, and step through bytes that it is given; it reads no file',
      severity: 'error',
      from: { path: inPackage('domain') },
      to: {
        path: '^sheets/',
        pathNot:
          '^sheets/src/(cell-tag|markup|repeated-headers|sheet-error|sheet-facts|shown-number|text-encoding)\\.ts$',
      },
    },
    forbid(
      'telemetry',
      'sheets|parquet|domain|db|lake|mail|workflows|workers|web|launch|bench',
      'telemetry counts and traces; it knows nothing of Tapeline',
    ),
    forbid('db', 'sheets|parquet|lake|mail|workflows|workers|web|launch|bench', 'db is PostgreSQL alone'),
    forbid('lake', 'mail|workflows|workers|web|launch|bench', 'lake stores and queries; it starts no work'),
    forbid(
      'workflows',
      'sheets|parquet|telemetry|db|lake|mail|workers|web|launch|bench',
      'workflows are deterministic: domain and activity types only',
    ),
    forbid(
      'mail',
      'sheets|parquet|domain|db|lake|workflows|workers|web|launch|bench',
      'mail composes and sends; it knows nothing of Tapeline',
    ),
    forbid('workers', 'web|launch|bench', 'workers never know the screens'),
    forbid('web', 'workers|launch|bench', 'web asks workers through workflows'),
    forbid(
      'launch',
      'sheets|parquet|mail|workers|web|bench',
      'launch starts the other packages as processes, it does not import them',
    ),
    forbid(
      'demonstration',
      'mail|workflows|workers|web|bench',
      'the demonstration is made by the calls of the product',
    ),
    {
      name: 'product-not-to-demonstration',
      comment: 'only tests, and what is tried on a product of its own, use the data of the demonstration',
      severity: 'error',
      from: {
        path: '^(sheets|domain|telemetry|db|lake|mail|workflows|workers|web|launch)/',
        pathNot: '(\\.test\\.tsx?$|/testing/|^web/tests/|^launch/src/(rehearsal|attack)/)',
      },
      to: { path: '^demonstration/' },
    },
    rooms(
      'http',
      'api|commands|components|routes',
      'http knows requests, sign-ins and forms, and no collection or screen',
    ),
    rooms('commands', 'api|routes', 'a command serves screens and REST calls alike'),
    rooms('components', 'api|commands|routes', 'components are drawn from what they are given'),
    rooms('api', 'components|routes', 'the REST calls stand beside the screens'),
    {
      name: 'web-routes-not-to-api',
      comment:
        'screens call operations and commands; only the pages about the API, and the lists of grids, read its definitions',
      severity: 'error',
      from: { path: '^web/app/routes/', pathNot: '^web/app/routes/(rest/|views/grid-lists)' },
      to: { path: '^web/app/api/' },
    },
    {
      name: 'migrations-not-to-domain',
      comment: 'a migration that has landed must not change with the program: copy what it needs into as-landed.ts',
      severity: 'error',
      from: { path: '^db/src/migrations/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(domain/|db/src/(?!migrations/))' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      comment: 'modules that need each other, be it for their types alone, are read and changed only together',
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(build|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
