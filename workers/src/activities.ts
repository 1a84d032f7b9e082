import type { Environment } from '@tapeline/db/environment.ts';
import type { Mailer } from '@tapeline/mail/mailer.ts';
import { createAmendmentActivities } from './amendments/activities.ts';
import { createComparisonActivities } from './borrowing-base/comparison-activities.ts';
import { createCheckActivities } from './check/activities.ts';
import type { WorkerContext } from './context.ts';
import {
  createCorrectionComputeActivities,
  createCorrectionIoActivities,
  createCorrectionPreviewActivities,
} from './corrections/activities.ts';
import { createRemap } from './corrections/remap.ts';
import { createCovenantActivities } from './covenants/activities.ts';
import { createDeliverableActivities } from './deliverables/activities.ts';
import { createDrawActivities } from './draw/activities.ts';
import { createDuplicateActivities } from './duplicates/activities.ts';
import { createImportActivities } from './imports/activities.ts';
import { createLatestRowsActivities } from './latest-rows/activities.ts';
import { createMailActivities } from './mail/activities.ts';
import { createNoticeActivities } from './notices/activities.ts';
import { createPreviewActivities } from './preview/activities.ts';
import { byReference } from './preview/by-reference.ts';
import { createRateActivities } from './rates/activities.ts';
import { createRetentionActivities } from './retention/activities.ts';
import { createStatementActivities } from './statements/activities.ts';
import { createSweepActivities } from './sweep/activities.ts';
import { createTapeComputeActivities } from './tape/compute-activities.ts';
import { createTapeIoActivities } from './tape/io-activities.ts';
import { MappingEngines } from './tape/mapping-engines.ts';

/** Every activity of the product, by the task queue that it is taken from. */
export function activitiesByQueue(
  context: WorkerContext,
  environment: Pick<Environment, 'retention' | 'ratesUrl' | 'publicUrl' | 'appSecret'>,
  mailer: Mailer,
) {
  const { store, log } = context;
  const { retention: limits, ratesUrl, publicUrl, appSecret } = environment;
  const { writeImport, checkImport, ...ofImports } = createImportActivities(context);
  const { findDuplicates, ...ofDuplicates } = createDuplicateActivities(context);
  // Of a whole file that is mapped while a person waits, or again. The tapes that arrive have their own.
  const engines = new MappingEngines(context.scratchFolder, context.jobMemory, context.jobSpill);
  const { remapRows, reviewRemap } = createRemap(context, engines);
  const corrections = createCorrectionComputeActivities(context, remapRows);
  const endsOfCorrections = createCorrectionIoActivities(context);
  return {
    io: {
      ...createTapeIoActivities(context),
      // For corrections that were started by an earlier version.
      ...endsOfCorrections,
      ...createDrawActivities(context),
      ...createAmendmentActivities(context),
      ...createCovenantActivities(context),
      ...createDeliverableActivities(context),
      ...ofDuplicates,
      ...createSweepActivities(context),
      ...createStatementActivities(context),
      ...createRetentionActivities({ store, limits, log }),
      ...ofImports,
      ...createRateActivities({ store, ratesUrl, log }),
      ...createMailActivities({ store, mailer, publicUrl, appSecret, log }),
    },
    imports: { writeImport },
    importChecks: { checkImport },
    previews: byReference(context, {
      ...createPreviewActivities(context),
      ...createCorrectionPreviewActivities(context),
    }),
    checks: byReference(context, {
      ...createCheckActivities(context, engines),
      ...createComparisonActivities(context),
      ...createLatestRowsActivities(context),
      reviewRemap,
    }),
    compute: {
      ...createTapeComputeActivities(context),
      ...createNoticeActivities(context),
      findDuplicates,
      // For corrections that were started by an earlier version.
      ...corrections,
    },
    corrections: { ...corrections, ...endsOfCorrections },
  };
}
