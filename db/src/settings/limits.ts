import { number, PROGRAMS, SERVING, setting } from './kinds.ts';

/** Megabytes and gigabytes are powers of ten. */
export const USUAL = {
  objectCacheGb: 20,
  diskReserveMb: 500,
  queryMemoryMb: 1000,
  queryCacheMb: 256,
  exportMemoryMb: 768,
  spillGb: 20,
  rowFilesGb: 2,
  retentionUnusedDays: 90,
  retentionRemovedDays: 365,
  retentionMailDays: 365,
  retentionNotificationDays: 365,
} as const;
/** History younger than this is never removed: amounts and who decided them are kept at least as long as accounts. */
export const LEAST_HISTORY_YEARS = 7;

/** How much a process may use of its machine, and how long data is kept. */
export const LIMIT_SETTINGS = {
  QUERY_MEMORY_MB: setting(number(200, 1_000_000), {
    group: 'Memory and disk',
    meaning: 'Memory of a web process for queries over assets. Beyond it they use the disk.',
    usual: `\`${USUAL.queryMemoryMb}\``,
    usedBy: ['web'],
  }),
  QUERY_CACHE_MB: setting(number(1, 100_000), {
    group: 'Memory and disk',
    meaning: 'Memory of a web process for orders and pages of lists that it keeps.',
    usual: `\`${USUAL.queryCacheMb}\``,
    usedBy: ['web'],
  }),
  EXPORT_MEMORY_MB: setting(number(200, 1_000_000), {
    group: 'Memory and disk',
    meaning: 'Memory of a web process for exports.',
    usual: `\`${USUAL.exportMemoryMb}\``,
    usedBy: ['web'],
  }),
  JOB_MEMORY_MB: setting(number(200, 1_000_000), {
    group: 'Memory and disk',
    meaning:
      'Memory of one computing job of a worker. A process runs as many jobs as its share of the cores, and a preview.',
    usual: 'half the memory of the machine, shared by all jobs; 537 to 8590 each',
    usedBy: ['worker'],
  }),
  SPILL_GB: setting(number(0.1, 100_000, { isWhole: false }), {
    group: 'Memory and disk',
    meaning:
      'Disk under `TAPELINE_HOME` for data beyond memory: of one job, of the queries and of the exports of a web process.',
    usual: `\`${USUAL.spillGb}\``,
    usedBy: SERVING,
  }),
  ROW_FILES_GB: setting(number(0.1, 100_000, { isWhole: false }), {
    group: 'Memory and disk',
    meaning: 'Disk of a web process for rows that are kept to be read one by one.',
    usual: `\`${USUAL.rowFilesGb}\``,
    usedBy: ['web'],
  }),
  DISK_RESERVE_MB: setting(number(1, 1_000_000), {
    group: 'Memory and disk',
    meaning: 'With less free space at `TAPELINE_HOME`, `/readyz` returns 503 and workers take no work.',
    usual: `\`${USUAL.diskReserveMb}\``,
    usedBy: SERVING,
  }),
  OBJECT_CACHE_GB: setting(number(0.1, 100_000, { isWhole: false }), {
    group: 'Memory and disk',
    meaning:
      'Local copies of S3 objects under `TAPELINE_HOME`. The least recently used are evicted first, but none used within the last hour.',
    usual: `\`${USUAL.objectCacheGb}\``,
    usedBy: PROGRAMS,
  }),

  RETENTION_UNUSED_DAYS: setting(number(7, 36_500), {
    group: 'Retention',
    meaning:
      'Days until uploads that no document uses, imports that were prepared and not started, and the rows of failed imports are removed. See [retention](retention.md).',
    usual: `\`${USUAL.retentionUnusedDays}\``,
    usedBy: ['worker'],
  }),
  RETENTION_REMOVED_DAYS: setting(number(7, 36_500), {
    group: 'Retention',
    meaning: 'Days until the files of removed tapes and documents are removed. Their records and history stay.',
    usual: `\`${USUAL.retentionRemovedDays}\``,
    usedBy: ['worker'],
  }),
  RETENTION_MAIL_DAYS: setting(number(30, 36_500), {
    group: 'Retention',
    meaning: 'Days until emails that were sent, skipped or given up are removed from the outbox.',
    usual: `\`${USUAL.retentionMailDays}\``,
    usedBy: ['worker'],
  }),
  RETENTION_NOTIFICATION_DAYS: setting(number(30, 36_500), {
    group: 'Retention',
    meaning: 'Days until notifications that were read are removed; unread ones after twice as many.',
    usual: `\`${USUAL.retentionNotificationDays}\``,
    usedBy: ['worker'],
  }),
  RETENTION_HISTORY_YEARS: setting(number(LEAST_HISTORY_YEARS, 100), {
    group: 'Retention',
    meaning: 'Years until history is removed.',
    usual: 'kept without limit',
    usedBy: ['worker'],
  }),
} as const;
