import { checksInProgress, failCheck, runCheck } from '@tapeline/db/operations/importer/run-check.ts';
import { failImport, IMPORTER, importsInProgress, writeImport } from '@tapeline/db/operations/importer/run-import.ts';
import type { importCheck, importRows } from '@tapeline/workflows/all-workflows.ts';
import type {
  ImportCheckActivities,
  ImportIoActivities,
  ImportWriteActivities,
} from '@tapeline/workflows/imports/activities.ts';
import { importCheckStartOf, importStartOf } from '@tapeline/workflows/imports/start.ts';
import type { WorkerContext } from '../context.ts';
import { reportProgress } from '../heartbeat.ts';

type ImportContext = Pick<WorkerContext, 'store' | 'temporal' | 'instance'>;

/** Imports and checks that are read at a time. */
const AT_ONCE = 200;

export function createImportActivities(
  context: ImportContext,
): ImportIoActivities & ImportWriteActivities & ImportCheckActivities {
  const { store } = context;
  const start = () => startImports(context);
  const report = async (rows: number) => reportProgress(rows);
  return {
    writeImport: ({ importId }) => writeImport(store, importId, report),
    checkImport: ({ draftId, version }) => runCheck(store, { id: draftId, version }, report),
    failImport: ({ importId, failure }) =>
      store.as(IMPORTER, (session) => failImport(session, { id: importId, failure })),
    failImportCheck: ({ draftId, version, failure }) => failCheck(store, { id: draftId, version }, failure),
    startImports: start,
    runDueImports: start,
    runDueChecks: start,
  };
}

async function startImports({ store, temporal, instance }: ImportContext): Promise<void> {
  for await (const waiting of pagesOf((page) => importsInProgress(store, page))) {
    await temporal.workflow.start<typeof importRows>('importRows', importStartOf(instance, waiting));
  }
  for await (const waiting of pagesOf((page) => checksInProgress(store, page))) {
    await temporal.workflow.start<typeof importCheck>('importCheck', importCheckStartOf(instance, waiting));
  }
}

async function* pagesOf<Item extends { id: string }>(
  read: (page: { after: string | null; limit: number }) => Promise<Item[]>,
): AsyncGenerator<Item> {
  let page: Item[] = [];
  do {
    page = await read({ after: page.at(-1)?.id ?? null, limit: AT_ONCE });
    yield* page;
  } while (page.length === AT_ONCE);
}
