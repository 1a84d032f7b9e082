import type { AmendmentActivities } from './amendments/activities.ts';
import type { CheckActivities } from './check/activities.ts';
import type { ComparisonActivities } from './comparison/activities.ts';
import type {
  CorrectionComputeActivities,
  CorrectionIoActivities,
  CorrectionPreviewActivities,
  RemapReviewActivities,
} from './corrections/activities.ts';
import type { CovenantActivities } from './covenants/activities.ts';
import type { DeliverableActivities } from './deliverables/activities.ts';
import type { DrawActivities } from './draw/activities.ts';
import type { DuplicateActivities } from './duplicates/activities.ts';
import type { ImportCheckActivities, ImportIoActivities, ImportWriteActivities } from './imports/activities.ts';
import type { LatestRowsActivities } from './latest-rows/activities.ts';
import type { TapeComputeActivities, TapeIoActivities } from './loan-tape/activities.ts';
import type { MailActivities } from './mail/activities.ts';
import type { NoticeActivities } from './notices/activities.ts';
import type { PreviewActivities } from './preview/activities.ts';
import type { RateActivities } from './rates/activities.ts';
import type { RetentionActivities } from './retention/activities.ts';
import type { StatementActivities } from './statements/activities.ts';
import type { SweepActivities } from './sweep/activities.ts';

/** Every activity of every workflow. */
export type AllActivities = TapeIoActivities &
  TapeComputeActivities &
  CheckActivities &
  ComparisonActivities &
  CorrectionComputeActivities &
  CorrectionIoActivities &
  CorrectionPreviewActivities &
  AmendmentActivities &
  CovenantActivities &
  DeliverableActivities &
  DrawActivities &
  DuplicateActivities &
  ImportCheckActivities &
  ImportIoActivities &
  ImportWriteActivities &
  LatestRowsActivities &
  MailActivities &
  NoticeActivities &
  PreviewActivities &
  RateActivities &
  RemapReviewActivities &
  RetentionActivities &
  StatementActivities &
  SweepActivities;

export type ActivityName = keyof AllActivities;
