import { listenForChanges } from '@tapeline/db/change-listener.ts';
import type { Environment } from '@tapeline/db/environment.ts';
import { livingFamilies } from '@tapeline/db/operations/identity/sessions.ts';
import { countUnread } from '@tapeline/db/operations/notifications/notifications.ts';
import type { Store } from '@tapeline/db/store.ts';
import { tooSoon } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { eventStreams } from '@tapeline/telemetry/metrics.ts';
import type { Logger } from 'pino';

/** A browser opens one stream for each visible page. */
const MAX_PER_USER = 12;
const MAX_PER_PROCESS = 5_000;
/** Shorter than the idle timeouts of usual proxies (60 seconds). */
const HEARTBEAT_MS = 20_000;
/** Changes that follow each other closely are reported once. */
const GATHER_MS = 100;
const COUNTS_AT_ONCE = 4;

interface Viewer {
  readonly actor: UserActor;
  /** The sign-in that the stream ends with. */
  readonly familyId: string;
  /** Aborted when the browser has gone. */
  readonly signal: AbortSignal;
  /** Waits until the browser has taken what was written. */
  readyToSend(): Promise<boolean>;
}

interface Stream extends Viewer {
  send(text: string): void;
  end(): void;
}

/** Streams of server-sent events that report how many notifications a person has not read. */
export interface NotificationStreams {
  /** @throws Refusal tooMany if the person or the process has too many streams */
  open(viewer: Viewer): ReadableStream<Uint8Array>;
  /** Ends all streams. Browsers connect again, to another process if there is one. */
  close(): Promise<void>;
}

interface Limits {
  readonly perUser: number;
  readonly perProcess: number;
  readonly heartbeatMs: number;
}

const EVENT_OF_COUNT = (unread: number): string => `event: unread\ndata: ${unread}\n\n`;
/** The browser does not connect again after this one. */
const SIGNED_OUT = 'event: signedOut\ndata: \n\n';

/** Opens the streams of this process. It listens to PostgreSQL on one connection, however many streams are open. */
export function openNotificationStreams(
  environment: Pick<Environment, 'databaseUrl'>,
  store: Store,
  log: Pick<Logger, 'warn'>,
  limits: Limits = { perUser: MAX_PER_USER, perProcess: MAX_PER_PROCESS, heartbeatMs: HEARTBEAT_MS },
): NotificationStreams {
  const streams = new Map<string, Set<Stream>>();
  const changed = new Set<string>();
  let total = 0;
  let isClosed = false;
  let gathering: NodeJS.Timeout | undefined;
  const stopCounting = eventStreams.observe(() => [[total, {}]]);
  const every = (): Stream[] => [...streams.values()].flatMap((own) => [...own]);

  async function report(userId: string): Promise<void> {
    const [first] = streams.get(userId) ?? [];
    if (!first) return;
    // Counted as this person, so that row-level security applies.
    const unread = await store.read(first.actor, countUnread);
    for (const stream of streams.get(userId) ?? []) stream.send(EVENT_OF_COUNT(unread));
  }

  async function reportChanged(): Promise<void> {
    const users = changed.values();
    const work = async (): Promise<void> => {
      for (const userId of users) {
        changed.delete(userId);
        await report(userId).catch((err) => log.warn({ err }, 'counting notifications failed'));
      }
    };
    await Promise.all(Array.from({ length: COUNTS_AT_ONCE }, work));
    gathering = undefined;
    if (changed.size > 0) gather([]);
  }

  function gather(userIds: Iterable<string>): void {
    for (const userId of userIds) if (streams.has(userId)) changed.add(userId);
    if (isClosed || gathering !== undefined || changed.size === 0) return;
    gathering = setTimeout(() => void reportChanged(), GATHER_MS);
  }

  async function endSignedOut(asked: readonly Stream[]): Promise<void> {
    const alive = await livingFamilies(store, [...new Set(asked.map(({ familyId }) => familyId))], new Date());
    for (const stream of asked) {
      if (alive.has(stream.familyId)) continue;
      stream.send(SIGNED_OUT);
      stream.end();
    }
  }

  const checkSignIns = (asked: readonly Stream[]): void => {
    if (asked.length === 0) return;
    endSignedOut(asked).catch((err) => log.warn({ err }, 'checking sign-ins waits for the next heartbeat'));
  };

  const listener = listenForChanges(environment, {
    told: gather,
    signedOut: (familyIds) => {
      const ids = new Set(familyIds);
      checkSignIns(every().filter(({ familyId }) => ids.has(familyId)));
    },
    connected: () => {
      gather(streams.keys());
      checkSignIns(every());
    },
    failed: (err) => log.warn({ err }, 'notifications arrive late until PostgreSQL responds'),
  });

  const beating = setInterval(() => {
    const asked = every();
    for (const stream of asked) stream.send(':\n\n');
    checkSignIns(asked);
  }, limits.heartbeatMs);
  beating.unref();

  return {
    open(viewer) {
      const { userId } = viewer.actor;
      const own = streams.get(userId) ?? new Set<Stream>();
      if (isClosed || own.size >= limits.perUser || total >= limits.perProcess) throw tooSoon(60);
      const encoder = new TextEncoder();
      let isOpen = true;
      let isTaking = true;
      let controller: ReadableStreamDefaultController<Uint8Array>;
      const stream: Stream = {
        ...viewer,
        send(text) {
          if (!isOpen) return;
          // A browser that has not taken what was sent before is ended instead of buffered for.
          if (!isTaking) return stream.end();
          controller.enqueue(encoder.encode(text));
          isTaking = false;
          void viewer.readyToSend().then((isReady) => {
            isTaking = isReady;
          });
        },
        end() {
          if (!isOpen) return;
          isOpen = false;
          own.delete(stream);
          if (own.size === 0) streams.delete(userId);
          total -= 1;
          controller.close();
        },
      };
      return new ReadableStream<Uint8Array>({
        start(given) {
          controller = given;
          own.add(stream);
          streams.set(userId, own);
          total += 1;
          viewer.signal.addEventListener('abort', stream.end, { once: true });
          if (viewer.signal.aborted) return stream.end();
          // Browsers that lose their streams together come back one after the other.
          stream.send(`retry: ${2_000 + Math.floor(Math.random() * 6_000)}\n\n`);
          gather([userId]);
        },
        cancel: stream.end,
      });
    },
    async close() {
      isClosed = true;
      stopCounting();
      clearInterval(beating);
      clearTimeout(gathering);
      for (const stream of every()) stream.end();
      await listener.close();
    },
  };
}
