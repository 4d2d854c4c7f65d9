/**
 * Rules `code/*`: dynamic, shell, exfiltration, fetch-and-run, obfuscated, host-patch, insecure, binary, not-analysed
 * (code/secret is elsewhere). Being written by helper H, with `tool-package/source/` behind it.
 */
export {};
