/** Where a service is, and the setting that says so. */
export interface ServiceAddress {
  /** "PostgreSQL". */
  readonly service: string;
  readonly host: string;
  readonly port: number | string;
  readonly setting: string;
}

const CERTIFICATE =
  /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED|CERT_|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)/;

/** An error and those that caused it: a client often wraps the one that says what happened. */
export function* chain(error: unknown): Generator<NodeJS.ErrnoException> {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < 10; depth += 1) {
    yield current;
    if (current instanceof AggregateError) for (const each of current.errors) yield* chain(each);
    current = current.cause;
  }
}

/** What is wrong with the connection to a service and how to correct it, in one sentence; null for other errors. */
export function connectionProblem(error: unknown, { service, host, port, setting }: ServiceAddress): string | null {
  for (const { code = '', message } of chain(error)) {
    // Some clients report the system's code in the message only.
    const words = `${code} ${message}`;
    if (words.includes('ECONNREFUSED')) {
      return `${service} does not answer at ${host}:${port}: nothing listens there. Start it, or correct ${setting}.`;
    }
    if (/ENOTFOUND|EAI_AGAIN/.test(words)) {
      return `${service} cannot be found: the host ${host} is unknown. Correct ${setting}, or the name service of this machine.`;
    }
    if (/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timeout/i.test(words)) {
      return `${service} does not answer at ${host}:${port} in time. Check ${setting}, and that a firewall lets this machine through.`;
    }
    if (CERTIFICATE.test(code)) {
      const [reason] = message.split('; if the root CA');
      return `The certificate of ${service.replace(/^The /, 'the ')} at ${host}:${port} is not trusted (${reason}). Put the certificate of its authority in the file of NODE_EXTRA_CA_CERTS, or correct ${setting}.`;
    }
    if (['ECONNRESET', 'EPIPE', 'EPROTO'].includes(code) || /terminated unexpectedly|socket hang up/i.test(message)) {
      return `${service} at ${host}:${port} ended the connection. Check that ${setting} names the right port, and whether it must be reached with TLS.`;
    }
  }
  return null;
}

/** Whether the network or the other side ended the connection, or never accepted it. */
export const isConnectionError = (error: unknown): boolean =>
  connectionProblem(error, { service: '', host: '', port: '', setting: '' }) !== null;

const addressOf = (url: string, setting: string): ServiceAddress => {
  const { hostname, port } = new URL(url);
  return { service: 'PostgreSQL', host: hostname || 'localhost', port: port || 5432, setting };
};

/** The code of the error of a role that row-level security does not bind. */
export const BYPASSES_POLICIES = 'ERR_BYPASSES_POLICIES';

/** What is wrong with PostgreSQL and how to correct it, in one sentence. @param setting the one with the address */
export function postgresProblem(error: unknown, url: string, setting: string): string {
  const network = connectionProblem(error, addressOf(url, setting));
  if (network) return network;
  const { username, pathname } = new URL(url);
  const [role, database] = [decodeURIComponent(username), decodeURIComponent(pathname.slice(1))];
  for (const { code = '', message } of chain(error)) {
    if (code === '28P01') {
      return `PostgreSQL refused the password of the role ${role}, or has no such role. Correct ${setting}, or set the password: ALTER ROLE ${role} PASSWORD '…'.`;
    }
    if (code === '28000' && message.includes('no encryption')) {
      return `PostgreSQL only lets the role ${role} in with TLS. Add ?sslmode=verify-full to ${setting}.`;
    }
    if (code === '28000') {
      return `PostgreSQL does not let the role ${role} in (${message}). Correct ${setting}, create the role, or allow it in pg_hba.conf.`;
    }
    if (code === '3D000') {
      return `PostgreSQL has no database ${database}. Create it: CREATE DATABASE ${database} OWNER tapeline_owner, or correct ${setting}.`;
    }
    if (code === '42P01' || code === '3F000') {
      return 'The tables do not exist or are not up to date. Run `npm run migrate`.';
    }
    if (code === '42501') {
      return `The role ${role} has no rights on the tables. Grant them: GRANT tapeline_app TO "${role}", or correct ${setting}.`;
    }
    if (code === '57P03') return 'PostgreSQL is starting. Try again in a moment.';
    if (code === '53300') {
      return 'PostgreSQL has no connection left. Raise max_connections, or lower DATABASE_POOL_SIZE.';
    }
    if (message.includes('does not support SSL')) {
      return `PostgreSQL does not offer TLS. Set it up there, or remove sslmode from ${setting}.`;
    }
    if (code === BYPASSES_POLICIES) return `${message}.`;
  }
  return `PostgreSQL cannot be used: ${error instanceof Error ? error.message : error}. Check ${setting}.`;
}

/** Waiting does not help with these: someone must correct a setting. */
export const isWrongForGood = (error: unknown): boolean =>
  [...chain(error)].some(
    ({ code = '' }) => ['28P01', '28000', '42501', BYPASSES_POLICIES].includes(code) || CERTIFICATE.test(code),
  );
