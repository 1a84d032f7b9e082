import { getStoredFile } from '@tapeline/db/operations/files/files.ts';
import { refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { CHECK_SECONDS, type CheckActivities } from '@tapeline/workflows/check/activities.ts';
import type { WorkerContext } from '../context.ts';
import { progressInSteps } from '../heartbeat.ts';
import { withJobLake } from '../job-lake.ts';
import type { Answering } from '../preview/by-reference.ts';
import { earlierTape } from '../tape/earlier-tape.ts';
import type { MappingEngines } from '../tape/mapping-engines.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { checkFile } from './check-file.ts';

const CHECKING = { what: 'The check', seconds: CHECK_SECONDS };

/** Creates the activity that checks every row of a file. The caller has checked that the user sees file and company. */
export function createCheckActivities(context: WorkerContext, engines: MappingEngines): Answering<CheckActivities> {
  return {
    async checkTape({ fileId, sheetName, isMappingsSheet = false, rules: posted, companyId, ...facts }) {
      const rules = rulesSchema.safeParse(posted);
      if (!rules.success) throw refuseIssues(rules.error.issues, 'The mapping cannot be used; see the flagged rules');
      const file = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, fileId));
      const path = await context.objects.localPath(objectKey(file.bucket, file.key));
      const earlier = companyId === null ? null : await earlierTape(context, companyId, facts.cutOffDate);
      const { batchRows } = context;
      return withJobLake(context, CHECKING, ({ connected, watch, stop }, folder) =>
        checkFile(
          { path, sheetName, isMappingsSheet, rules: rules.data, facts, earlier, batchRows },
          {
            withEngine: (work) => engines.use(work, watch),
            connected,
            folder,
            signal: stop,
            onRead: progressInSteps(),
          },
        ),
      );
    },
  };
}
