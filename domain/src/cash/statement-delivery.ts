import { valuesOf } from '../documents/labels.ts';
import { typeOfFile } from '../files/file-types.ts';

/** What came of a file that a bank delivered. */
export const DELIVERY_OUTCOME_LABELS = { Imported: 'Imported', Refused: 'Refused' } as const;
export const DELIVERY_OUTCOMES = valuesOf(DELIVERY_OUTCOME_LABELS);
export type DeliveryOutcome = keyof typeof DELIVERY_OUTCOME_LABELS;

/** Where files of a manager are delivered, and where they are once they were taken, in the bucket of statements. */
export const DELIVERY_FOLDERS = { incoming: 'incoming', imported: 'imported', refused: 'refused' } as const;

/** The prefix of the object storage that a manager's banks deliver to. A folder in it has the CSV files of a bank account. */
export const deliveryPrefix = (managerId: string): string =>
  `bankStatements/${managerId}/${DELIVERY_FOLDERS.incoming}/`;

/** A file that changed within this time may still be written. */
export const DELIVERY_REST_MS = 60_000;
/** Names of a manager's files that one run looks at, the files that it takes, and those that it leaves and refuses where they are. */
export const MAX_DELIVERIES_LISTED = 100_000;
export const MAX_DELIVERIES_TAKEN = 100;
export const MAX_DELIVERIES_LEFT = 1_000;
/** People are told of so many refused files a day. Whoever delivers thousands by mistake sends no thousand emails. */
export const MAX_REFUSALS_TOLD = 20;

export const DELIVERY_LIMITS = { name: 250, reason: 2_000 } as const;

/** Programs write a file under such a name, and rename it once it is whole. */
export const isTemporaryName = (name: string): boolean =>
  name.startsWith('.') || /\.(part|partial|filepart|tmp)$/i.test(name);

/** The media type of a file of statements. Banks give them names of their own: everything that is no XML and no CSV is text. */
export const typeOfStatement = (name: string): string =>
  /\.(xml|csv)$/i.test(name) ? typeOfFile(name, '') : 'text/plain';
