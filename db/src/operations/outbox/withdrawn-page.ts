import type { AnnouncedResource } from './deliveries.ts';

/** What the address of a withdrawn document says. */
export interface Withdrawn {
  readonly resource: AnnouncedResource;
  /** Of a call or distribution. */
  readonly callNumber: string | null;
  /** That it was withdrawn, when, and what to do. */
  readonly text: string;
  /** Why, for the manager only: it was written for the history. */
  readonly reason: string | null;
  /** The parts that the actor could see. */
  readonly documentIds: readonly string[];
}
