/** The blocks of the guide that the rehearsal runs, in the order of the guide. */
export const REHEARSED = [
  'install',
  'roles',
  'namespace',
  'bucket',
  'rights',
  'settings-file',
  'shell',
  'prepare',
  'start',
  'backup',
  'restore',
  'upgrade',
  'rollback',
] as const;

export type Block = (typeof REHEARSED)[number];
