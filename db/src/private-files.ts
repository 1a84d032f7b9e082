// No other user of the machine can read files that the product's processes write. Import this module before anything
// that creates files.
process.umask(0o077);
