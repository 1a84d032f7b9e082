import { listDueChecks, runCheck } from '@tapeline/db/operations/importer/queued-checks.ts';
import { listDueImports, runImport } from '@tapeline/db/operations/importer/queued-imports.ts';
import type { ImportActivities, RunChecks, RunImports } from '@tapeline/workflows/imports/activities.ts';
import type { WorkerContext } from '../context.ts';

type ImportContext = Pick<WorkerContext, 'store' | 'log'>;

export const createImportActivities = (context: ImportContext): ImportActivities => ({
  runDueImports: () => runDueImports(context),
  runDueChecks: () => runDueChecks(context),
});

async function runDueImports({ store, log }: ImportContext): Promise<RunImports> {
  const done: RunImports = { imported: 0, failed: 0 };
  // Imports that another run is writing are left to it.
  const tried = new Set<string>();
  const faults: unknown[] = [];
  for (;;) {
    const importId = (await listDueImports(store)).find((id) => !tried.has(id));
    if (importId === undefined) break;
    tried.add(importId);
    const outcome = await runImport(store, importId, (err) => log.error({ err, importId }, 'an import failed')).catch(
      (error: unknown) => {
        // It waits for the next run, and does not keep the others from theirs.
        faults.push(error);
        return 'busy' as const;
      },
    );
    if (outcome === 'imported' || outcome === 'failed') {
      done[outcome] += 1;
      log.info({ importId, outcome }, 'an import ended');
    }
  }
  if (faults.length > 0) throw faults[0];
  return done;
}

async function runDueChecks({ store, log }: ImportContext): Promise<RunChecks> {
  const done: RunChecks = { checked: 0, failed: 0 };
  // Checks that another run is at, and those of the same user, are left to it.
  const tried = new Set<string>();
  const faults: unknown[] = [];
  const keyOf = ({ id, version }: { id: string; version: number }) => `${id}/${version}`;
  for (;;) {
    const check = (await listDueChecks(store)).find((one) => !tried.has(keyOf(one)));
    if (!check) break;
    tried.add(keyOf(check));
    const outcome = await runCheck(store, check, (err) =>
      log.error({ err, draftId: check.id }, 'a check failed'),
    ).catch((error: unknown) => {
      faults.push(error);
      return 'busy' as const;
    });
    if (outcome === 'checked' || outcome === 'failed') done[outcome] += 1;
  }
  if (faults.length > 0) throw faults[0];
  return done;
}
