/** Secrets that have appeared in this repository, as defaults or in tests. All of them are public. */
const PUBLISHED = [
  'a development secret that is never used in production',
  'a secret for a machine of your own only',
  'a secret of sixteen',
  'another secret of ours',
  'not the one',
  'only for tests',
  'sixteen letters!',
  'tapeline-app',
  'tapeline-owner',
  'tapeline-storage',
];

/** Words that are typical of placeholders. */
const WORDS = [
  ...[
    'admin',
    'administrator',
    'app',
    'change',
    'default',
    'demo',
    'dev',
    'development',
    'example',
    'here',
    'insecure',
  ],
  ...['jwt', 'key', 'letmein', 'local', 'localhost', 'long', 'master', 'me', 'minio', 'my', 'passwd', 'password'],
  ...['please', 'postgres', 'private', 'prod', 'production', 'qwerty', 'random', 'replace', 'root', 'secret', 'set'],
  ...['string', 'super', 'tapeline', 'temporal', 'test', 'testing', 'this', 'to', 'token', 'very', 'welcome', 'your'],
  ...['a', 'be', 'for', 'in', 'is', 'it', 'must', 'not', 'of', 'only', 'safe', 'some', 'the', 'use', 'value', 'with'],
];
const ONLY_WORDS = new RegExp(`^(?:${WORDS.join('|')}|[^a-z])*$`);
// 32 random hex digits practically never have fewer than eight distinct digits.
const LEAST_DIFFERENT_CHARACTERS = 8;

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const published = new Set(PUBLISHED.map(plain));

export const isPublishedSecret = (secret: string): boolean => published.has(plain(secret));

const ADVICE = '`openssl rand -hex 32` makes one';

/** Why the secret must not be used in production, as a message that follows its name; null if it can be used. */
export function secretProblem(secret: string, leastCharacters: number): string | null {
  if (isPublishedSecret(secret)) return `is published with the source code; use a secret of your own (${ADVICE})`;
  if (secret.length < leastCharacters) return `must have at least ${leastCharacters} characters (${ADVICE})`;
  const isGuessable =
    ONLY_WORDS.test(secret.toLowerCase()) ||
    new Set(secret).size < Math.min(LEAST_DIFFERENT_CHARACTERS, leastCharacters / 2);
  return isGuessable ? `can be guessed; use a random secret (${ADVICE})` : null;
}
