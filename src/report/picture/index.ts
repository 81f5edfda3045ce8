export { pictureMarkup, picturePage } from './html.ts';
export { type Picture, type Pictured, pictureOf } from './picture.ts';
export { storedPicture } from './stored-picture.ts';
export { pictureLines, type TerminalOptions } from './terminal.ts';
