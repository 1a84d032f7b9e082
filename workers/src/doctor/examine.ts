import { checkDatabase } from '@tapeline/db/check-database.ts';
import type { Environment } from '@tapeline/db/environment.ts';
import { lastBackupRuns } from '@tapeline/db/operations/backups/backup-runs.ts';
import { outboxBacklog } from '@tapeline/db/operations/outbox/backlog.ts';
import { listFindings } from '@tapeline/db/operations/storage/object-findings.ts';
import { queuesWithoutWorker } from '@tapeline/db/operations/workers/heartbeats.ts';
import { connectionProblem } from '@tapeline/db/service-problems.ts';
import { openStore, type Store, systemActor } from '@tapeline/db/store.ts';
import { checkStorage } from '@tapeline/lake/storage/check-storage.ts';
import { ownerOfStorage } from '@tapeline/lake/storage/claim.ts';
import { compareObjects, describeFindings, EVERY_OBJECT } from '@tapeline/lake/storage/compare-objects.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import { openAnyObjectStore } from '@tapeline/lake/storage/open-object-store.ts';
import { checkMailServer } from '@tapeline/mail/mail-server.ts';
import { backupProblems } from './backup-problems.ts';
import {
  chatModelProblem,
  identityProviderProblem,
  publicAddressFinding,
  ratesProblem,
  tracesProblem,
} from './check-connections.ts';
import { settingFindings } from './check-settings.ts';
import { orderProblem, reachTemporal, retentionProblem, tasksInOrder, temporalProblem } from './check-temporal.ts';

export interface Finding {
  readonly subject: string;
  /** One sentence for each problem; none if all is well. */
  readonly problems: readonly string[];
  /** What someone may want to know although it is no problem. */
  readonly notes: readonly string[];
}

export interface Depth {
  /** Whether the database is compared with every object, which takes long. */
  readonly isDeep: boolean;
}

/** Sign-in tokens are valid for minutes, and object storages refuse calls that are off by fifteen. */
const MAX_SKEW_MS = 60_000;
const DOCTOR = systemActor('Doctor');

const inWords = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`;

function skewProblems(service: string, now: Date | null, before: number, after: number): string[] {
  if (!now) return [];
  const early = before - now.getTime();
  const late = now.getTime() - after;
  const skew = Math.max(early, late);
  if (skew <= MAX_SKEW_MS) return [];
  const side = early > late ? 'ahead of' : 'behind';
  return [
    `The clock of this machine is ${inWords(skew)} ${side} that of ${service}. Synchronize both (timedatectl set-ntp true).`,
  ];
}

/** Measures the time around a check, so that a slow answer is not taken for a wrong clock. */
async function withClock<Check extends { problems: string[]; now: Date | null }>(
  service: string,
  check: () => Promise<Check>,
): Promise<Check> {
  const before = Date.now();
  const found = await check();
  return { ...found, problems: [...found.problems, ...skewProblems(service, found.now, before, Date.now())] };
}

/** Examines every service that the settings name. Nothing throws: what is wrong is a sentence. */
export async function examine(environment: Environment, depth: Depth): Promise<Finding[]> {
  const { s3, smtpUrl } = environment;
  const [database, temporal, storage, mail, addresses, connections] = await Promise.all([
    withClock('PostgreSQL', () => checkDatabase(environment)),
    examineTemporal(environment).catch((error: unknown) => [temporalProblem(error, environment)]),
    withClock('the object storage', () => checkStorage(environment)),
    smtpUrl ? mailProblems(smtpUrl) : [],
    addressFinding(environment),
    examineConnections(environment),
  ]);
  const findings: Finding[] = [
    { subject: 'Production', ...settingFindings(environment, database.server) },
    { subject: 'PostgreSQL', problems: database.problems, notes: [] },
    { subject: 'Temporal', problems: temporal, notes: [] },
    {
      subject: s3 ? 'Object storage' : 'Files',
      problems: storage.problems,
      notes: s3 ? [] : ['Objects are files in TAPELINE_HOME, which web and workers must share.'],
    },
    {
      subject: 'Email',
      problems: mail,
      notes: smtpUrl ? [] : ['SMTP_URL is not set: emails are kept in TAPELINE_HOME/mail and are not sent.'],
    },
    { subject: 'Addresses', ...addresses },
    ...connections,
  ];
  if (database.problems.length === 0 && storage.problems.length === 0) {
    findings.push(...(await examineInstallation(environment, depth)));
  }
  return findings;
}

async function examineTemporal(environment: Environment): Promise<string[]> {
  const { retentionDays } = await reachTemporal(environment);
  const given = await tasksInOrder(environment, environment.instanceName);
  return [retentionProblem(retentionDays, environment), orderProblem(given)].filter((problem) => problem !== null);
}

async function addressFinding({ nodeEnv, publicUrl }: Environment): Promise<Omit<Finding, 'subject'>> {
  const { protocol, hostname } = new URL(publicUrl);
  if (nodeEnv !== 'production') return { problems: [], notes: [] };
  const { problem, note } = await publicAddressFinding(publicUrl);
  const problems = problem ? [problem] : [];
  const notes = note ? [note] : [];
  if (protocol === 'https:') return { problems, notes };
  if (['localhost', '127.0.0.1'].includes(hostname)) {
    notes.push('PUBLIC_URL leads to this machine only: links in emails do not work elsewhere.');
  } else {
    problems.push(
      'PUBLIC_URL is not https, so sign-ins can be read on the way. Put a proxy with TLS in front, and set its address.',
    );
  }
  return { problems, notes };
}

/** The services that an installation can do without. */
async function examineConnections({ oidc, ratesUrl, chatModel, tracesUrl }: Environment): Promise<Finding[]> {
  const asked: [subject: string, problem: Promise<string | null>][] = [];
  if (oidc) asked.push(['Identity provider', identityProviderProblem(oidc)]);
  if (ratesUrl) asked.push(['Currency rates', ratesProblem(ratesUrl)]);
  if (chatModel) asked.push(['Chats', chatModelProblem(chatModel)]);
  if (tracesUrl) asked.push(['Traces', tracesProblem(tracesUrl)]);
  return Promise.all(
    asked.map(async ([subject, answer]) => {
      const problem = await answer;
      return { subject, problems: problem ? [problem] : [], notes: [] };
    }),
  );
}

async function mailProblems(smtpUrl: string): Promise<string[]> {
  const { hostname: host, port, protocol } = new URL(smtpUrl);
  try {
    await checkMailServer(smtpUrl);
    return [];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EAUTH') {
      return ['The mail server refused the user or the password. Correct SMTP_URL.'];
    }
    const isTlsFirst = protocol === 'smtps:';
    const address = { service: 'The mail server', host, port: port || (isTlsFirst ? 465 : 587) };
    if (isTlsFirst && /wrong version number/i.test(message))
      return [`The mail server at ${host}:${address.port} does not begin with TLS. Write smtp:// in SMTP_URL.`];
    if (code === 'ETLS' && !isTlsFirst) {
      return [
        `The mail server at ${host}:${address.port} offers no encryption, and the password of SMTP_URL is not sent without it. Turn on STARTTLS there, or use smtps:// with its port for TLS.`,
      ];
    }
    if (code === 'ETIMEDOUT' && !isTlsFirst && /greeting/i.test(message)) {
      return [
        `The mail server at ${host}:${address.port} sends no greeting. If this port begins with TLS, write smtps:// in SMTP_URL.`,
      ];
    }
    return [
      connectionProblem(error, { ...address, setting: 'SMTP_URL' }) ??
        `The mail server at ${host} cannot be used: ${message}. Check SMTP_URL.`,
    ];
  }
}

async function examineInstallation(environment: Environment, depth: Depth): Promise<Finding[]> {
  const store = await openStore(environment);
  const objects = await openAnyObjectStore(environment);
  try {
    const [owner, [instance], queues, { held }, runs] = await Promise.all([
      ownerOfStorage(objects),
      store.as(DOCTOR, ({ query }) => query<{ id: string }>('select id from instance')),
      store.as(DOCTOR, queuesWithoutWorker),
      store.as(DOCTOR, outboxBacklog),
      store.as(DOCTOR, lastBackupRuns),
    ]);
    const isOthers = owner !== null && owner !== instance?.id;
    const installation: Finding = {
      subject: 'Installation',
      problems: [
        ...(isOthers
          ? [
              `The object storage ${objects.place} belongs to another database. Set S3_BUCKET or S3_PREFIX to a location of its own, or run \`npm run storage:claim\` if the objects belong to this one.`,
            ]
          : []),
        ...backupProblems(runs),
      ],
      notes: [
        ...(queues.length > 0 ? [`No worker is running for ${queues.join(', ')}.`] : []),
        ...(held > 0
          ? [
              `${held} emails are held after a restore. Release or drop them under Administration > Held after a restore.`,
            ]
          : []),
      ],
    };
    return isOthers ? [installation] : [installation, await examineObjects(store, objects, depth)];
  } finally {
    await Promise.all([objects.close(), store.close()]);
  }
}

const inCount = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What the latest comparisons of database and storage have found; they are compared now if it is deep. */
async function examineObjects(store: Store, objects: ObjectStore, { isDeep }: Depth): Promise<Finding> {
  const subject = 'Stored objects';
  if (!isDeep) return { subject, ...describeFindings(await store.as(DOCTOR, listFindings)) };
  const { compared, findings } = await compareObjects({ store, objects }, { share: EVERY_OBJECT });
  const { problems, notes } = describeFindings(findings);
  const counts = compared.map(
    ({ kind, objects: all, contents }) =>
      `${kind}: compared ${inCount(all, 'object', 'objects')} with the database, and ${inCount(contents, 'content', 'contents')} with the recorded checksum.`,
  );
  return { subject, problems, notes: [...counts, ...notes] };
}
