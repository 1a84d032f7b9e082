import { accessSync, constants, readFileSync } from 'node:fs';
import { isPublishedSecret, secretProblem } from './secret-strength.ts';
import { meantSetting } from './settings/misspelled.ts';
import { FROM_FILE, type SettingName } from './settings.ts';

const LEAST_APP_SECRET = 32;

// The minimum length that S3 providers require.
const LEAST_S3_SECRET = 8;

export type SettingTexts = Readonly<Record<string, string | undefined>>;

export type SettingProblem = readonly [name: string, message: string];

/** Services without which a program does not work in production. */
export type Need = 'storage' | 'mail';

/** Problems with secrets that production must not use: missing, published, short or guessable. */
function secretProblems(value: SettingTexts): SettingProblem[] {
  const { APP_SECRET, S3_SECRET_ACCESS_KEY } = value;
  const problems: [string, string | null][] = [
    [
      'APP_SECRET',
      APP_SECRET
        ? secretProblem(APP_SECRET, LEAST_APP_SECRET)
        : 'is required in production (`openssl rand -hex 32` makes one)',
    ],
    ['S3_SECRET_ACCESS_KEY', S3_SECRET_ACCESS_KEY ? secretProblem(S3_SECRET_ACCESS_KEY, LEAST_S3_SECRET) : null],
  ];
  for (const name of ['DATABASE_URL', 'DATABASE_ADMIN_URL'] as const) {
    const password = passwordOf(value[name]);
    if (password && isPublishedSecret(password))
      problems.push([name, 'has a password that is published with the source code; set another one for the role']);
  }
  return problems.flatMap(([name, message]) => (message === null ? [] : [[name, message] as const]));
}

/** What production refuses, and development does not. */
export function productionProblems(value: SettingTexts, needs: readonly Need[]): SettingProblem[] {
  const problems = secretProblems(value);
  if (needs.includes('storage') && !value.S3_ENDPOINT) {
    problems.push(['S3_ENDPOINT', 'is required in production; set the address of an S3-compatible object storage']);
  }
  if (needs.includes('mail') && !value.SMTP_URL) {
    problems.push(['SMTP_URL', 'is required in production; without a mail server nobody can sign in']);
  }
  if (needs.includes('mail') && !value.MAIL_FROM) {
    problems.push(['MAIL_FROM', 'is required in production; set the sender, such as Tapeline <no-reply@example.com>']);
  }
  if (value.OIDC_ISSUER?.startsWith('http:')) {
    problems.push(['OIDC_ISSUER', 'must be an https:// address in production']);
  }
  return problems;
}

const TEMPORAL_TLS_PARTS = [
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_API_KEY',
] as const;

/** Settings that need each other. */
const TOGETHER: readonly (readonly [SettingName, SettingName])[] = [
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['CHAT_MODEL_URL', 'CHAT_MODEL'],
  ['WEATHER_URL', 'WEATHER_PLACES_URL'],
  ['WEATHER_PLACES_URL', 'WEATHER_URL'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ['BACKUP_S3_ENDPOINT', 'BACKUP_KEY'],
  ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
  ['BACKUP_S3_SECRET_ACCESS_KEY', 'BACKUP_S3_ACCESS_KEY_ID'],
  ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH'],
  ['TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_CLIENT_CERT_PATH'],
];

export function combinationProblems(value: SettingTexts): SettingProblem[] {
  const problems: SettingProblem[] = [];
  if (!value.DATABASE_URL) {
    problems.push([
      'DATABASE_URL',
      'is required; set the address of PostgreSQL, such as postgres://tapeline_app:PASSWORD@db.example.com:5432/tapeline',
    ]);
  }
  for (const [name, needed] of TOGETHER) {
    if (value[name] && !value[needed]) problems.push([needed, `is required with ${name}`]);
  }
  if (value.METRICS_PORT && value.METRICS_PORT === (value.PORT ?? '3000')) {
    problems.push(['METRICS_PORT', 'must not be the port that users reach']);
  }
  const isWithoutTls = ['off', 'false', '0'].includes(value.TEMPORAL_TLS ?? '');
  const tlsPart = TEMPORAL_TLS_PARTS.find((name) => value[name]);
  if (isWithoutTls && tlsPart) problems.push(['TEMPORAL_TLS', `must be on with ${tlsPart}`]);
  return problems;
}

export function unknownProblems(variables: SettingTexts): SettingProblem[] {
  return Object.keys(variables).flatMap((name): SettingProblem[] => {
    const meant = meantSetting(name);
    return meant ? [[name, `is not a setting of Tapeline; set ${meant} instead`]] : [];
  });
}

function passwordOf(address: string | undefined): string | null {
  try {
    return address ? decodeURIComponent(new URL(address).password) : null;
  } catch {
    return null;
  }
}

export const whyUnreadable = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EACCES' ? 'this user cannot read the file' : message;
};

/** Node itself goes on without the file, and only warns. */
export function unreadableFile(name: SettingName, path: string | undefined): SettingProblem[] {
  try {
    if (path) accessSync(path, constants.R_OK);
    return [];
  } catch (error) {
    return [[name, `names ${path}, which cannot be read: ${whyUnreadable(error)}`]];
  }
}

/** The variables that are set, including those that are read from files. Empty ones, as compose files leave, are not. */
export function withFileValues(variables: SettingTexts): { filled: SettingTexts; problems: SettingProblem[] } {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value) filled[name] = value;
  const problems: SettingProblem[] = [];
  for (const name of FROM_FILE) {
    const file = filled[`${name}_FILE`];
    if (!file) continue;
    if (filled[name]) {
      problems.push([name, `is set, and ${name}_FILE too: set ${name} or ${name}_FILE, not both`]);
      continue;
    }
    try {
      filled[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      problems.push([`${name}_FILE`, `names ${file}, which cannot be read: ${whyUnreadable(error)}`]);
    }
  }
  return { filled, problems };
}
