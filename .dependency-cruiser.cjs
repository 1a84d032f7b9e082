/** Rooms and the one way imports may point: web, workers -> workflows, db -> domain. */
const room = (name) => `^${name}/`;
const forbid = (from, to, comment) => ({
  name: `${from}-not-to-${to.replaceAll(/[^a-z]+/g, '-')}`,
  comment,
  severity: 'error',
  from: { path: room(from) },
  to: { path: `^(${to})/` },
});

module.exports = {
  forbidden: [
    forbid('domain', 'db|workflows|workers|web|launch|bench', 'domain is pure: it knows nobody'),
    forbid('db', 'workflows|workers|web|launch|bench', 'db knows only domain'),
    forbid('workflows', 'db|workers|web|launch|bench', 'workflows are deterministic: domain and activity types only'),
    forbid('workers', 'web|launch|bench', 'workers never know the screens'),
    forbid('web', 'workers|launch|bench', 'web asks workers through workflows'),
    forbid('launch', 'workers|web|bench', 'launch starts the other rooms as processes, it does not import them'),
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      // Types may name each other: nothing of them is left at run time.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
