/** A setting that is wrong, and the one sentence with which `npm run doctor` answers. */
export interface DoctorCase {
  name: string;
  settings: Record<string, string>;
  answer: RegExp;
}

/** Host and port of servers, and the password of all accounts. */
export interface Addresses {
  database: string;
  mail: string;
  password: string;
}

/** Nothing listens there. */
const CLOSED = '127.0.0.1:9';

export function doctorCases({ database, mail, password }: Addresses): DoctorCase[] {
  return [
    {
      name: 'a short secret',
      settings: { APP_SECRET: 'secret' },
      answer: /Settings: APP_SECRET /,
    },
    {
      name: 'a misspelled setting',
      settings: { S3_BUKET: 'tapes' },
      answer: /Settings: S3_BUKET is not a setting of Tapeline; set S3_BUCKET instead\.$/,
    },
    {
      name: 'a wrong password of the database',
      settings: { DATABASE_URL: `postgres://tapeline_app:b7c1e90d2f44@${database}/tapeline` },
      answer: /PostgreSQL: PostgreSQL refused the password of the role tapeline_app/,
    },
    {
      name: 'a database that does not exist',
      settings: { DATABASE_URL: `postgres://tapeline_app:${password}@${database}/elsewhere` },
      answer: /PostgreSQL: PostgreSQL has no database elsewhere\. Create it/,
    },
    {
      name: 'no Temporal at the address',
      settings: { TEMPORAL_ADDRESS: CLOSED },
      answer: /Temporal: Temporal does not answer at 127\.0\.0\.1:9: nothing listens there/,
    },
    {
      name: 'a wrong namespace',
      settings: { TEMPORAL_NAMESPACE: 'nowhere' },
      answer: /Temporal: Temporal has no namespace nowhere\. Create it/,
    },
    {
      name: 'a missing bucket',
      settings: { S3_BUCKET: 'tapeline-absent' },
      answer: /Object storage: The object storage has no bucket tapeline-absent\. Create it/,
    },
    {
      name: 'a wrong secret key',
      settings: { S3_SECRET_ACCESS_KEY: 'b7c1e90d2f44' },
      answer: /Object storage: .*S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are wrong/,
    },
    {
      name: 'no CORS rule for the address',
      settings: { PUBLIC_URL: 'https://other.example.com' },
      answer: /Object storage: .*does not allow calls from https:\/\/other\.example\.com \(CORS\)/,
    },
    {
      name: 'a wrong password of the mail server',
      settings: { SMTP_URL: `smtps://user:b7c1e90d2f44@${mail}` },
      answer: /Email: The mail server refused the user or the password\. Correct SMTP_URL\.$/,
    },
  ];
}
