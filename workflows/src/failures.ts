import type { ActivityName } from './all-activities.ts';

/**
 * Why an activity failed, as the type of its Temporal failure. Only what may pass is tried again: a fault of a service or
 * of the machine. `db/src/service-faults.ts` decides which errors are such faults.
 */
export const FAILURES = {
  /** Somebody asked for something impossible. The message is written for them. */
  Refusal: { isRetried: false },
  /** The error comes from the data or the program, and would come again. The message says so, with the reason. */
  DataFault: { isRetried: false },
  /** A disk or the object storage is full. Space may be freed. */
  DiskFull: { isRetried: true },
  /** A service or the machine did not do its part. */
  ServiceFault: { isRetried: true },
} as const satisfies Record<string, { isRetried: boolean }>;

export type FailureType = keyof typeof FAILURES;

/** Failure types that end an activity at once. */
export const NEVER_RETRIED: string[] = Object.entries(FAILURES).flatMap(([type, { isRetried }]) =>
  isRetried ? [] : [type],
);

/** What a failed activity could not do, as the beginning of a sentence, and what to do about it. */
interface Failed {
  readonly failed: string;
  readonly whatToDo: string;
}

const SUPPORT = 'or send this text to support';
const tape = { failed: 'The tape could not be processed', whatToDo: `Check the file and the mapping, ${SUPPORT}.` };
const ending = {
  failed: 'The end of the job could not be recorded',
  whatToDo: `It is ended within a minute. Try again then, ${SUPPORT}.`,
};
const base = {
  failed: 'The borrowing base could not be calculated from this tape and contract',
  whatToDo: `Check the contract's rates and limits and the tape's amounts, ${SUPPORT}.`,
};
const corrected = {
  failed: 'The corrected rows could not be processed',
  whatToDo: `Check the corrected values, ${SUPPORT}.`,
};
const preview = { failed: 'The preview could not be made', whatToDo: `Check the file and the mapping, ${SUPPORT}.` };
const operator = `Read the log of the workers, ${SUPPORT}. The next scheduled run tries again.`;
const waitingImports = { failed: 'Waiting imports and checks could not be started', whatToDo: operator };

/** One entry for each activity. The compiler asks for the entry of a new one. */
export const ACTIVITY_FAILURES: Readonly<Record<ActivityName, Failed>> = {
  processTape: tape,
  beginTape: tape,
  readTape: tape,
  recordProgress: tape,
  transformBatch: tape,
  earlierTapesInProgress: tape,
  publishTape: tape,
  finalizeTape: tape,
  discardStaged: {
    failed: 'What was staged for the tape could not be removed',
    whatToDo: `The assets are published. The sweep removes the rest, ${SUPPORT}.`,
  },
  failTape: ending,
  removeTape: ending,
  completeTape: ending,
  endCalculations: ending,
  endRerun: ending,
  notesToCompute: base,
  calculateBorrowingBase: base,
  rerunRows: corrected,
  remapRows: {
    failed: 'The tape could not be processed with the other mapping version',
    whatToDo: `It stays as it was published. Check the mapping, ${SUPPORT}.`,
  },
  reviewRemap: preview,
  rerunFollowUp: {
    failed: 'What follows from the reprocessed rows could not be done',
    whatToDo: `The reprocessed rows are published. Calculate the borrowing base again, ${SUPPORT}.`,
  },
  previewRerun: { ...preview, whatToDo: corrected.whatToDo },
  readCorrections: { failed: 'The file of corrections could not be read', whatToDo: `Check the file, ${SUPPORT}.` },
  reviewProposal: { ...preview, whatToDo: corrected.whatToDo },
  inspectFile: { failed: 'The file could not be read', whatToDo: `Check the file, ${SUPPORT}.` },
  previewMapping: preview,
  previewDraft: preview,
  checkTape: { failed: 'The file could not be checked', whatToDo: preview.whatToDo },
  countLatestRows: preview,
  keepLatestRows: { failed: 'The latest rows could not be chosen', whatToDo: `Check the file, ${SUPPORT}.` },
  tryContract: { failed: 'The contract could not be tried on this tape', whatToDo: base.whatToDo },
  explainBases: { failed: 'The two borrowing bases could not be compared', whatToDo: base.whatToDo },
  calculateScenario: { failed: 'The scenario could not be calculated', whatToDo: base.whatToDo },
  printDocument: {
    failed: 'The document could not be printed',
    whatToDo: `Check its names, amounts and logo, ${SUPPORT}.`,
  },
  checkDraw: {
    failed: 'The checks of the draw request could not run',
    whatToDo: `Check the terms and contracts of the note, ${SUPPORT}.`,
  },
  remindOfDraw: {
    failed: 'Nobody was reminded of the draw request',
    whatToDo: `Tell the people who decide on it yourself, ${SUPPORT}.`,
  },
  writeImport: { failed: 'Nothing was imported', whatToDo: `Correct the rows that this names, ${SUPPORT}.` },
  checkImport: { failed: 'The rows could not be checked', whatToDo: `Correct the rows that this names, ${SUPPORT}.` },
  failImport: { failed: 'The end of an import could not be recorded', whatToDo: operator },
  failImportCheck: { failed: 'The end of the check of an import could not be recorded', whatToDo: operator },
  startImports: waitingImports,
  runDueImports: waitingImports,
  runDueChecks: waitingImports,
  takeStatements: { failed: 'A delivered file of bank statements could not be imported', whatToDo: operator },
  sendDueMail: { failed: 'Waiting emails could not be sent', whatToDo: operator },
  remindOfLateTapes: { failed: 'Nobody was told of late tapes', whatToDo: operator },
  putAmendmentsInForce: { failed: 'An amendment was not put in force', whatToDo: operator },
  testCovenants: { failed: 'Covenants were not tested', whatToDo: operator },
  remindOfDeliverables: { failed: 'Borrowers were not reminded of deliverables', whatToDo: operator },
  remindOfDueCalls: { failed: 'Investors were not reminded of capital calls', whatToDo: operator },
  listBooks: { failed: 'The books to search for the same loan twice could not be listed', whatToDo: operator },
  findDuplicates: { failed: 'The book could not be searched for the same loan twice', whatToDo: operator },
  recordFailedSearch: {
    failed: 'The end of a search for the same loan twice could not be recorded',
    whatToDo: operator,
  },
  makeDueNotices: { failed: 'Waiting notices and statements could not be made', whatToDo: operator },
  fetchRates: { failed: 'The rates could not be stored', whatToDo: `Check the service and RATES_URL, ${SUPPORT}.` },
  recordFailedRefresh: { failed: 'A failed refresh of the rates could not be recorded', whatToDo: operator },
  listRetention: { failed: 'Data that is beyond its limit could not be listed', whatToDo: operator },
  removeExpired: { failed: 'Data that is beyond its limit could not be removed', whatToDo: operator },
  sweepStorage: { failed: 'Unused objects could not be removed from the storage', whatToDo: operator },
  compareStorage: { failed: 'The database and the object storage could not be compared', whatToDo: operator },
  endStrandedTapes: { failed: 'Tapes without a running job could not be ended', whatToDo: operator },
  restartUnwatchedDraws: { failed: 'The checks of changed draw requests could not be restarted', whatToDo: operator },
};

/** The message of a failure that would come again. */
export function dataFaultMessage(activity: string, reason: string): string {
  const known = Object.hasOwn(ACTIVITY_FAILURES, activity) ? ACTIVITY_FAILURES[activity as ActivityName] : null;
  const { failed, whatToDo } = known ?? { failed: `${activity} failed`, whatToDo: operator };
  return `${failed} (${reason}). Retrying does not help. ${whatToDo}`;
}
