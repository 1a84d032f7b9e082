/** What a file is by its first bytes. An `ooxml` or `odf` file is a zip archive of an office document. */
export type ContentKind =
  | 'zip'
  | 'ooxml'
  | 'odf'
  | 'ole'
  | 'pdf'
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'bmp'
  | 'tiff'
  | 'heif'
  | 'mp4'
  | 'webm'
  | 'avi'
  | 'mpeg'
  | 'gzip'
  | '7z'
  | 'rar'
  | 'tar'
  | 'text';

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';
export const XLSX_TYPE = `${OPEN_XML}spreadsheetml.sheet`;
export const CSV_TYPE = 'text/csv';

/** Why a file cannot be read as a loan tape, whatever else its bucket takes. */
export const NO_TAPE = 'A loan tape must be an Excel workbook (.xlsx) or a .csv file';

type FileType = readonly [content: ContentKind, type: string, ...extensions: string[]];

/** The files that can be uploaded, by what people call them. */
const FILE_TYPES: Readonly<Record<string, readonly FileType[]>> = {
  Markdown: [['text', 'text/markdown', 'md', 'markdown']],
  text: [
    ['text', 'text/plain', 'txt', 'log', 'ini', 'toml', 'r', 'go', 'rs', 'kt'],
    ['text', 'application/rtf', 'rtf'],
  ],
  images: [
    ['png', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpg', 'jpeg'],
    ['gif', 'image/gif', 'gif'],
    ['webp', 'image/webp', 'webp'],
    ['text', 'image/svg+xml', 'svg'],
    ['bmp', 'image/bmp', 'bmp'],
    ['tiff', 'image/tiff', 'tif', 'tiff'],
    ['heif', 'image/heic', 'heic', 'heif'],
  ],
  CSV: [
    ['text', CSV_TYPE, 'csv'],
    ['text', 'text/tab-separated-values', 'tsv'],
  ],
  PDF: [['pdf', 'application/pdf', 'pdf']],
  video: [
    ['mp4', 'video/mp4', 'mp4', 'm4v'],
    ['mp4', 'video/quicktime', 'mov'],
    ['webm', 'video/webm', 'webm'],
    ['webm', 'video/x-matroska', 'mkv'],
    ['avi', 'video/x-msvideo', 'avi'],
    ['mpeg', 'video/mpeg', 'mpg', 'mpeg'],
  ],
  'office documents': [
    ['ooxml', `${OPEN_XML}wordprocessingml.document`, 'docx'],
    ['ooxml', XLSX_TYPE, 'xlsx'],
    ['ooxml', `${OPEN_XML}presentationml.presentation`, 'pptx'],
    ['ooxml', 'application/vnd.ms-excel.sheet.macroenabled.12', 'xlsm'],
    ['ole', 'application/msword', 'doc'],
    ['ole', 'application/vnd.ms-excel', 'xls'],
    ['ole', 'application/vnd.ms-powerpoint', 'ppt'],
    ['odf', `${OPEN_DOCUMENT}text`, 'odt'],
    ['odf', `${OPEN_DOCUMENT}spreadsheet`, 'ods'],
    ['odf', `${OPEN_DOCUMENT}presentation`, 'odp'],
  ],
  archives: [
    ['zip', 'application/zip', 'zip'],
    ['gzip', 'application/gzip', 'gz', 'tgz'],
    ['7z', 'application/x-7z-compressed', '7z'],
    ['rar', 'application/vnd.rar', 'rar'],
    ['tar', 'application/x-tar', 'tar'],
  ],
  code: [
    ['text', 'text/javascript', 'js', 'mjs', 'cjs', 'jsx'],
    ['text', 'text/typescript', 'ts', 'tsx'],
    ['text', 'text/x-python', 'py'],
    ['text', 'text/x-java', 'java'],
    ['text', 'text/x-c', 'c', 'h', 'cpp', 'cs'],
    ['text', 'text/html', 'html', 'htm'],
    ['text', 'text/css', 'css'],
    ['text', 'application/sql', 'sql'],
    ['text', 'application/x-sh', 'sh'],
    ['text', 'application/yaml', 'yaml', 'yml'],
  ],
  'JSON and XML': [
    ['text', 'application/json', 'json'],
    ['text', 'application/xml', 'xml'],
  ],
};

/** Other names that browsers and systems report for these types. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  'application/csv': CSV_TYPE,
  'application/javascript': 'text/javascript',
  'application/x-javascript': 'text/javascript',
  'application/x-yaml': 'application/yaml',
  'application/x-zip-compressed': 'application/zip',
  'application/x-zip': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/x-compressed-tar': 'application/gzip',
  'application/x-rar-compressed': 'application/vnd.rar',
  'application/x-rar': 'application/vnd.rar',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-ms-bmp': 'image/bmp',
  'image/heif': 'image/heic',
  'video/avi': 'video/x-msvideo',
  'video/x-m4v': 'video/mp4',
};

const ALL_TYPES = Object.values(FILE_TYPES).flat();
const CONTENT_OF_TYPE = new Map(ALL_TYPES.map(([content, type]) => [type, content]));
const TYPE_OF_EXTENSION = new Map(
  ALL_TYPES.flatMap(([, type, ...extensions]) => extensions.map((one) => [one, type] as const)),
);
const EXTENSION_OF_TYPE = new Map(ALL_TYPES.map(([, type, extension]) => [type, extension]));

/** What a type is called here: without parameters, in lower case, under its first name. */
function canonical(type: string): string {
  const bare = (type.split(';')[0] ?? '').trim().toLowerCase();
  return ALSO_CALLED[bare] ?? bare;
}

/** The kinds of content that a media type allows; none for a type that is not accepted. */
export function kindsOfType(type: string): readonly ContentKind[] {
  const bare = canonical(type);
  // Browsers report this type for .csv files if Excel is installed.
  if (bare === 'application/vnd.ms-excel') return ['ole', 'text'];
  // Every office document of these kinds is an archive as well.
  if (bare === 'application/zip') return ['zip', 'ooxml', 'odf'];
  const content = CONTENT_OF_TYPE.get(bare);
  if (content) return [content];
  if (bare.startsWith(OPEN_XML)) return ['ooxml'];
  return bare.startsWith('text/') ? ['text'] : [];
}

const extensionOf = (name: string): string => /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/**
 * The media type to declare for a file. Derived from its name where that is known, because browsers report different
 * types for the same file, and none for many. The content is checked against it.
 */
export const typeOfFile = (name: string, reported: string): string =>
  TYPE_OF_EXTENSION.get(extensionOf(name)) ?? (reported || 'application/octet-stream');

/** The extension of files of a type; null for a type without one. */
export const extensionOfType = (type: string): string | null => EXTENSION_OF_TYPE.get(canonical(type)) ?? null;

/** The extensions for a file picker: ".md,.txt". */
export const UPLOAD_EXTENSIONS: string = [...TYPE_OF_EXTENSION.keys()].map((one) => `.${one}`).join(',');

const groups = Object.keys(FILE_TYPES);
/** "Markdown, text, images, …, code, JSON and XML". */
export const UPLOAD_KINDS: string = groups.join(', ');

const SHEET_KINDS: readonly ContentKind[] = ['zip', 'ooxml', 'odf', 'ole', 'text'];

/** Whether a file of this media type can hold a sheet of rows. What is in it is found when it is read. */
export const mayHoldSheet = (type: string): boolean => kindsOfType(type).some((kind) => SHEET_KINDS.includes(kind));
