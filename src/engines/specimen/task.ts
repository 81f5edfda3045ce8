import type { Row } from '../../model/value.ts';
import type { ChangeKind, CloseReason, Receiver } from './change.ts';
import type { Faults } from './faults.ts';
import { hashOf, type Key } from './keys.ts';

/** A task that keeps state between rows. What a snapshot holds is plain data that shares nothing with the task. */
export interface StatefulTask {
  snapshot(): unknown;
  restore(snapshot: unknown): void;
}

/** The input of a keyed task that several channels lead to, one from each subtask before it. */
export interface KeyedInput {
  change(kind: ChangeKind, row: Row): void;
  watermarkOn(channel: number, atMs: number): void;
  close(reason: CloseReason): void;
}

/** Where a task stands among those of its operator. */
export interface SubtaskPlace {
  /** Channels that lead to it: as many as there are subtasks. */
  readonly channels: number;
  /** Whether it is the last subtask of several. */
  readonly lastOfMany: boolean;
}

/** What a task knows of its channels: its watermark is the least over them (semantics §2), −∞ before each has one. */
export class ChannelWatermarks {
  #channels: number[];
  readonly #fastest: boolean;

  constructor(channels: number, faults: Faults) {
    this.#channels = new Array(channels).fill(Number.NEGATIVE_INFINITY);
    this.#fastest = faults.has('watermark-of-fastest-channel');
  }

  /** Notes a channel's watermark, and gives the task's. */
  advance(channel: number, atMs: number): number {
    const channels = this.#channels;
    channels[channel] = Math.max(channels[channel]!, atMs);
    if (channels.length === 1) return channels[0]!;
    return this.#fastest ? this.#greatestFinite() : this.#least();
  }

  snapshot(): readonly number[] {
    return [...this.#channels];
  }

  restore(channels: readonly number[]): void {
    this.#channels = [...channels];
  }

  /** Under a fault: no channel that still has rows to come has spoken yet. */
  forget(): void {
    this.#channels = this.#channels.map((at) =>
      at === Number.POSITIVE_INFINITY ? at : Number.NEGATIVE_INFINITY,
    );
  }

  #least(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const at of this.#channels) least = Math.min(least, at);
    return least;
  }

  #greatestFinite(): number {
    const finite = this.#channels.filter((at) => at !== Number.POSITIVE_INFINITY);
    return finite.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...finite);
  }
}

/** Leads from each subtask of one operator to all tasks of the next: a row goes to the task of its key. */
export function exchange(keyOf: (row: Row) => Key, tasks: readonly KeyedInput[]): readonly Receiver[] {
  return tasks.map((_, channel) => new Channel(channel, keyOf, tasks));
}

class Channel implements Receiver {
  readonly #channel: number;
  readonly #keyOf: (row: Row) => Key;
  readonly #tasks: readonly KeyedInput[];

  constructor(channel: number, keyOf: (row: Row) => Key, tasks: readonly KeyedInput[]) {
    this.#channel = channel;
    this.#keyOf = keyOf;
    this.#tasks = tasks;
  }

  change(kind: ChangeKind, row: Row): void {
    const tasks = this.#tasks;
    const index = tasks.length === 1 ? 0 : hashOf(this.#keyOf(row)) % tasks.length;
    tasks[index]!.change(kind, row);
  }

  watermark(atMs: number): void {
    for (const task of this.#tasks) task.watermarkOn(this.#channel, atMs);
  }

  close(reason: CloseReason): void {
    for (const task of this.#tasks) task.close(reason);
  }
}

/** Leads each subtask of one operator to the same subtask of the next, whatever the key. */
export function forward(tasks: readonly KeyedInput[]): readonly Receiver[] {
  return tasks.map((task) => ({
    change: (kind, row) => task.change(kind, row),
    watermark(atMs) {
      for (let other = 0; other < tasks.length; other++) task.watermarkOn(other, atMs);
    },
    close: (reason) => task.close(reason),
  }));
}
