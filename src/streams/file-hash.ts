import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** SHA-256 of a file in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  return (await addFile(createHash('sha256'), path)).digest('hex');
}

/** Lets a hash take the bytes of a file too. */
export async function addFile(hash: Hash, path: string): Promise<Hash> {
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash;
}
