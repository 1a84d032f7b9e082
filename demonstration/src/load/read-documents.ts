import type { Caller } from '@tapeline/launch/client/caller.ts';

/** Documents of each kind that the investor opens. */
const OPENED = 3;

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly fileMetadata: { readonly bucket: string; readonly key: string } | null;
}

/** The investor reads some of its documents and one announcement, so that the manager sees who has read what. */
export async function readDocuments(investor: Caller): Promise<void> {
  for (const path of ['/crud/reports', '/crud/capitalAccounts']) {
    const documents = await investor.get<Listed[]>(
      `${path}?sort=${encodeURIComponent('{"cutOffDate":-1}')}&limit=${OPENED}`,
    );
    const files = documents.flatMap(({ fileMetadata }) => fileMetadata ?? []);
    for (const [bucket, those] of Map.groupBy(files, (file) => file.bucket)) {
      const filesInfo = those.map(({ key }) => ({ key }));
      await investor.post(`/files/signedUrls/${bucket}?operation=download`, { filesInfo });
    }
  }
  const [announcement] = await investor.get<Listed[]>('/crud/announcements/all?limit=1');
  if (announcement) await investor.get(`/crud/announcements/details/all/${announcement.id}`);
}
