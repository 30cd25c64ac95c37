"""The rules of Fujian mahjong: tiles, hands, settlement, records and computer players. Standard library only."""
