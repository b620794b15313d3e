// Who plays in a recording, and which colour each of them has, everywhere.

import { meleeTeamColour, NEUTRAL, opponentColour, portColour, teamColour } from "./colours";
import type { Recording } from "./data/recording";

export interface Person {
  /** The entity of kind `player`. */
  id: number;
  name: string;
  /** As statistics call them: in Melee with the character. */
  fullName: string;
  /** A number below 2 in a game of two teams; Melee's teams in doubles. */
  team: number | undefined;
  colour: string;
}

export class People {
  readonly all: Person[];
  private readonly byId = new Map<number, Person>();

  constructor(private readonly recording: Recording) {
    const { format, summary } = recording.outline;
    const entities = recording.ofKind("player");
    // Two people can have the same name: the first of a name in one list is the first in the other.
    const left = [...summary.players];
    const summaryOf = (name: string, index: number) => {
      const found = left.findIndex((player) => player.name === name);
      if (found >= 0) return left.splice(found, 1)[0];
      return format === "rocket-league" ? undefined : summary.players[index];
    };
    const perTeam = new Map<number, number>();
    const told = recording.outline.stats?.players ?? [];
    this.all = entities.map(({ id, name }, index) => {
      // A recording that was cut short has no table of players in its header.
      const team = summaryOf(name, index)?.team ?? told.find((player) => player.name === name)?.team;
      const nth = team === undefined ? 0 : (perTeam.get(team) ?? 0);
      if (team !== undefined) perTeam.set(team, nth + 1);
      return {
        id,
        name: format === "slippi" ? name.replace(/ \([^)]*\)$/, "") : name,
        fullName: name,
        team,
        colour: this.colour(format, index, team, nth),
      };
    });
    for (const person of this.all) this.byId.set(person.id, person);
  }

  private colour(format: string, index: number, team: number | undefined, nth: number): string {
    switch (format) {
      case "rocket-league":
        return teamColour(team, nth);
      case "slippi":
        return team !== undefined && this.recording.outline.summary.players.length > 2
          ? meleeTeamColour(team, nth)
          : portColour(index);
      default:
        return opponentColour(index);
    }
  }

  /** Whose an entity is: a car, a hand and an item belong to a player. */
  of(entity: number | null): Person | undefined {
    let id = entity ?? -1;
    // Parents are few; a circle cannot be.
    for (let step = 0; step < 4 && id >= 0; step++) {
      const person = this.byId.get(id);
      if (person) return person;
      id = this.recording.entities.parent(id);
    }
    return undefined;
  }

  colourOf(entity: number | null): string {
    return this.of(entity)?.colour ?? NEUTRAL;
  }

  /** Those who play: casters and people who only looked on have no team where there are teams. */
  get playing(): Person[] {
    const hasTeams = this.all.some(({ team }) => team !== undefined);
    return hasTeams ? this.all.filter(({ team }) => team !== undefined) : this.all;
  }
}
