"""The last turn, as the board shows it: where the ball rolled and who went where."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.model.socker import Cell, Kind, SockerAct, SockerView, ball_rests

_IN_TURN = (Kind.MOVE, Kind.KICK, Kind.SOCK)


@dataclass(frozen=True, slots=True)
class Trace:
    """What the side that acted last did in its turn."""

    seat: int | None = None
    ended: bool = False
    thread: tuple[Cell, ...] = ()
    """Cells the ball lay on, oldest first; empty or at least two."""
    steps: tuple[tuple[Cell, Cell], ...] = ()
    """Who went, or was pushed, from where to where."""

    def after(self, seat: int, act: SockerAct, view: SockerView | None) -> Trace:
        """The trace once `seat` has done `act` in the position `view` (None: not known)."""
        if act.kind in (Kind.PLACE, Kind.TOSS):
            return Trace()
        if act.kind is Kind.RECENTRE and act.target is not None:
            return replace(self, thread=(*self.thread, act.target))
        if act.kind in (Kind.END_TURN, Kind.PASS):
            return replace(self, ended=True)
        if act.kind not in _IN_TURN or act.target is None or act.origin is None:
            return self
        running = self if self.seat == seat and not self.ended else Trace(seat)
        lands = act.lands or act.target
        if act.kind is Kind.KICK:
            rests = (ball_rests(act, view) if view else None) or lands
            start = running.thread or (act.target,)
            way = (lands,) if rests == lands else (lands, rests)
            return replace(running, thread=(*start, *way))
        step = (act.origin, act.target) if act.kind is Kind.MOVE else (act.target, lands)
        return replace(running, steps=(*running.steps, step))
