import pg from 'pg';

/** The ids of users whose notifications changed. */
export const TOLD_CHANNEL = 'tapeline_told';
/** The ids of sign-ins of which a token was removed. */
export const SIGN_OUTS_CHANNEL = 'tapeline_sign_outs';

export interface ChangeListener {
  close(): Promise<void>;
}

interface Heard {
  told(userIds: readonly string[]): void;
  signedOut(familyIds: readonly string[]): void;
  /** The connection was opened, maybe after an outage: anything may have changed before. */
  connected(): void;
  failed(error: unknown): void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
// Without traffic, a firewall may drop the connection unnoticed.
const CHECK_EVERY_MS = 30_000;

/**
 * Listens to changes that any process commits, on one connection of its own. It connects again after an outage.
 * PgBouncer must not pool this connection by transaction, because such pools do not pass on notifications.
 */
export function listenForChanges({ databaseUrl }: { databaseUrl: string }, heard: Heard): ChangeListener {
  let client: pg.Client | null = null;
  let isClosed = false;
  let failures = 0;
  let waiting: NodeJS.Timeout | undefined;

  const lose = (lost: pg.Client, error: unknown): void => {
    if (client !== lost) return;
    client = null;
    lost.removeAllListeners('notification');
    lost.end().catch(() => undefined);
    if (isClosed) return;
    heard.failed(error);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
    failures += 1;
    waiting = setTimeout(() => void connect(), wait);
    waiting.unref();
  };

  const connect = async (): Promise<void> => {
    const opened = new pg.Client({ connectionString: databaseUrl, keepAlive: true, query_timeout: CHECK_EVERY_MS });
    client = opened;
    opened.on('error', (error) => lose(opened, error));
    opened.on('end', () => lose(opened, new Error('The connection ended')));
    opened.on('notification', ({ channel, payload }) => {
      const ids = (payload ?? '').split(',');
      if (channel === TOLD_CHANNEL) heard.told(ids);
      else heard.signedOut(ids);
    });
    try {
      await opened.connect();
      await opened.query(`listen ${TOLD_CHANNEL}; listen ${SIGN_OUTS_CHANNEL}`);
      failures = 0;
      heard.connected();
    } catch (error) {
      lose(opened, error);
    }
  };

  const checking = setInterval(() => {
    const checked = client;
    checked?.query('select 1').catch((error) => lose(checked, error));
  }, CHECK_EVERY_MS);
  checking.unref();
  void connect();

  return {
    async close() {
      isClosed = true;
      clearInterval(checking);
      clearTimeout(waiting);
      const open = client;
      client = null;
      await open?.end().catch(() => undefined);
    },
  };
}
