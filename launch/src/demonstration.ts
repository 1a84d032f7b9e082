import { join } from 'node:path';
import { demonstrationUploads, UPLOADER_EMAIL } from '@tapeline/domain/demonstration/portfolio.ts';
import { z } from 'zod';
import { signIn } from './demonstration/api-client.ts';
import { uploadTapes } from './demonstration/upload-tapes.ts';

/**
 * Loads the demonstration's tapes through the running product's own upload, as its manager. The supervisor runs this
 * once the first start is ready; run again, it goes on where it stopped.
 */
const { PUBLIC_URL, TAPELINE_HOME } = z
  .object({ PUBLIC_URL: z.url(), TAPELINE_HOME: z.string().min(1).default('.tapeline') })
  .parse(process.env);

const baseUrl = PUBLIC_URL.replace(/\/+$/, '');
const api = await signIn(baseUrl, UPLOADER_EMAIL, join(TAPELINE_HOME, 'mail'));
await uploadTapes(api, baseUrl, demonstrationUploads(), (line) => process.stdout.write(`${line}\n`));
