import { DELIVERABLE_FILES } from '../deliverables/deliverable-files.ts';
import { DRAW_FILES } from '../draws/attachments.ts';

/** Files of lending that are documents, although tapes share their bucket: they may be of any accepted type. */
const PLACES = [DRAW_FILES, DELIVERABLE_FILES];

export const isLendingPlace = (place: { bucket: string; directory?: string | null | undefined }): boolean =>
  PLACES.some(({ bucket, directory }) => bucket === place.bucket && directory === place.directory);

export const isLendingDocument = ({ bucket, key }: { bucket: string; key: string }): boolean =>
  PLACES.some((place) => bucket === place.bucket && key.startsWith(`${place.directory}/`));
